#include "interpole/planning/files/pomdp_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "interpole/error.hpp"

namespace interpole::planning {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kMostShown = 40;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
bool ends_token(char c) {
  return is_space(c) || c == ':' || c == '#' || c == '*';
}

std::string printable(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, kMostShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\') {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + (text.size() > kMostShown ? "…\"" : "\"");
}

}  // namespace

PomdpText::PomdpText(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  split(text);
}

void PomdpText::split(std::string_view text) {
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      while (at < text.size() && text[at] != '\n') ++at;
      continue;
    }
    if (is_space(c)) {
      line += c == '\n' ? 1 : 0;
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    TokenKind kind = c == ':' ? TokenKind::kColon : TokenKind::kStar;
    if (c != ':' && c != '*') {
      while (end < text.size() && !ends_token(text[end])) ++end;
      const std::string_view token = text.substr(at, end - at);
      const bool numeric = is_digit(c) || c == '+' || c == '-' || c == '.';
      const auto fits = [](char x) { return is_letter(x) || is_digit(x) || x == '_' || x == '-'; };
      if (!numeric && !(is_letter(c) && std::all_of(token.begin(), token.end(), fits))) {
        refuse(line,
               fmt::format("{} is neither a number nor a name; names begin with a letter and go on with "
                           "letters, digits, _ and -",
                           printable(token)));
      }
      kind = numeric ? TokenKind::kNumber : TokenKind::kWord;
    }
    tokens_.push_back({kind, text.substr(at, end - at), line});
    at = end;
  }
  // An error at the end points at the last line with something on it.
  tokens_.push_back({TokenKind::kEnd, {}, tokens_.empty() ? 1 : tokens_.back().line});
}

const Token& PomdpText::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token PomdpText::next() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool PomdpText::take_word(std::string_view word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

void PomdpText::take_colon(std::string_view after) {
  if (!at(TokenKind::kColon)) {
    refuse(peek().line, fmt::format("{} where a colon belongs after \"{}\"", shown(peek()), after));
  }
  next();
}

bool PomdpText::is_index(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

double PomdpText::number(std::string_view what) {
  const Token token = next();
  if (token.kind != TokenKind::kNumber) {
    refuse(token.line, fmt::format("{} where {} belongs; write a number", shown(token), what));
  }
  std::string_view digits = token.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    refuse(token.line, fmt::format("{} is too large or too small for a number", shown(token)));
  }
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
    refuse(token.line, fmt::format("{} is not a finite number", shown(token)));
  }
  return value;
}

std::vector<double> PomdpText::numbers(std::size_t most) {
  std::vector<double> result;
  while (at(TokenKind::kNumber) && result.size() <= most) result.push_back(number("a number"));
  return result;
}

void PomdpText::refuse(int line, const std::string& reason) const {
  throw input_error(fmt::format("{}:{}: {}", file_, line, reason));
}

std::string shown(const Token& token) {
  return token.kind == TokenKind::kEnd ? "the end of the file" : printable(token.text);
}

std::string read_planning_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw input_error(fmt::format("{}: it is a folder; name a file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(fmt::format("{}: cannot open it: {}", path, std::strerror(errno)));
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostBytes) {
      throw input_error(fmt::format("{}: larger than {} MB; too large to plan with", path, kMostBytes >> 20));
    }
  }
  if (file.bad())
    throw input_error(fmt::format("{}: cannot be read to its end: {}", path, std::strerror(errno)));
  return text;
}

}  // namespace interpole::planning
