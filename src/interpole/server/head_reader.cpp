#include "interpole/server/head_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace interpole::server {
namespace {

// Fields whose second occurrence would mean two different requests.
constexpr std::array<std::string_view, 5> kOnce = {"host", "content-length", "transfer-encoding", "origin",
                                                   "x-interpole-token"};

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_token(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || kSigns.find(c) != std::string_view::npos;
  });
}

// A tab, or anything that is not a control character. Bytes from 0x80 on are left to the reader of the value:
// cookies of other local programs hold them, and nobody here reads those.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

bool is_visible(char c) {
  return c > 0x20 && c < 0x7f;
}

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::optional<std::string_view> RequestHead::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string_view RequestHead::path() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string_view RequestHead::query() const {
  const auto mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

HeadReader::State HeadReader::refuse(int status, std::string sentence) {
  refusal_ = {status, std::move(sentence)};
  return state_ = State::kRefused;
}

HeadReader::State HeadReader::look(std::string_view bytes) {
  while (state_ == State::kMore && at_ < bytes.size()) {
    const char c = bytes[at_];
    if (refuse_if_too_long(at_ + 1)) break;
    if (c == '\r') {
      if (at_ + 1 == bytes.size()) break;  // what follows decides
      if (bytes[at_ + 1] != '\n') return refuse(400, "a carriage return without a line feed");
      if (refuse_if_too_long(at_ + 2)) break;
      const std::string_view line = bytes.substr(line_start_, at_ - line_start_);
      at_ += 2;
      line_start_ = at_;
      if (!read_line(line)) return state_;
    } else if (c == '\n') {
      return refuse(400, "a line ends with a bare line feed");
    } else if (!is_plain(c)) {
      return refuse(400, "a control character in the head");
    } else {
      ++at_;
    }
  }
  return state_;
}

bool HeadReader::refuse_if_too_long(std::size_t end) {
  if (first_line_ && end > limits_.line + 2) {
    refuse(414, fmt::format("the request line is longer than {} bytes", limits_.line));
  } else if (end > limits_.bytes) {
    refuse(431, fmt::format("the head is longer than {} bytes", limits_.bytes));
  }
  return state_ == State::kRefused;
}

bool HeadReader::read_line(std::string_view line) {
  if (first_line_) {
    first_line_ = false;
    return read_request_line(line);
  }
  if (!line.empty()) return read_field(line);
  if (!check_host() || !check_length()) return false;
  state_ = State::kComplete;
  return true;
}

bool HeadReader::read_request_line(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    refuse(400, "the request line is not METHOD /path HTTP/1.1");
    return false;
  }
  const auto method = line.substr(0, first);
  const auto target = line.substr(first + 1, last - first - 1);
  const auto version = line.substr(last + 1);
  if (!is_token(method)) {
    refuse(400, "the method is not a word");
  } else if (target.empty() || target.front() != '/') {
    refuse(400, "the target does not begin with /");
  } else if (!std::all_of(target.begin(), target.end(), is_visible) ||
             target.find('#') != std::string_view::npos) {
    refuse(400, "the target holds characters that do not belong there");
  } else if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    refuse(400, "the version is neither HTTP/1.1 nor HTTP/1.0");
  } else {
    head_.method = method;
    head_.target = target;
    head_.version_1_1 = version == "HTTP/1.1";
    return true;
  }
  return false;
}

bool HeadReader::read_field(std::string_view line) {
  const auto colon = line.find(':');
  if (head_.fields.size() == limits_.fields) {
    refuse(431, fmt::format("more than {} fields", limits_.fields));
  } else if (line.front() == ' ' || line.front() == '\t') {
    refuse(400, "a folded line");
  } else if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    refuse(400, "a field is not name: value");
  } else {
    std::string name = small_letters(line.substr(0, colon));
    if (std::find(kOnce.begin(), kOnce.end(), name) != kOnce.end() && head_.field(name)) {
      refuse(400, fmt::format("more than one {}", name));
      return false;
    }
    head_.fields.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
    return true;
  }
  return false;
}

bool HeadReader::check_host() {
  if (head_.field("host")) return true;
  refuse(400, "no host");
  return false;
}

bool HeadReader::check_length() {
  const auto length = head_.field("content-length");
  const auto coding = head_.field("transfer-encoding");
  if (length && coding) {
    refuse(400, "both content-length and transfer-encoding");
  } else if (coding && small_letters(*coding) == "chunked") {
    refuse(411, "chunks are not taken; send the body with its content-length");
  } else if (coding) {
    refuse(400, "no transfer-encoding is taken; send the body with its content-length");
  } else if (length) {
    std::uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(length->data(), length->data() + length->size(), bytes);
    if (error == std::errc() && end == length->data() + length->size()) {
      head_.content_length = bytes;
      return true;
    }
    refuse(400, "content-length is not a number");
  } else {
    return true;
  }
  return false;
}

}  // namespace interpole::server
