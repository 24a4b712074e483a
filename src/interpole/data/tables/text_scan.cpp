#include "interpole/data/tables/text_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // below kLongest: no line inside one is too long

constexpr const char* kNotClosed = "look for a quote that is never closed, or for bytes that are not text";
constexpr const char* kNotText =
    "save the table as CSV in UTF-8 encoding (is this a spreadsheet or another kind of file under the name "
    "of a "
    "table?)";
constexpr const char* kOtherEncoding = "save the file in UTF-8 encoding";

bool begins_as_utf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

// `take` is called with the file's bytes, piece by piece, until it returns false.
template <class Take>
void for_each_piece(const std::string& path, const Take& take) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(kPiece);
  while (file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || file.gcount() > 0) {
    if (!take(std::string_view(bytes.data(), static_cast<std::size_t>(file.gcount())))) return;
  }
  if (file.bad() || !file.is_open()) {
    throw input_error(fmt::format("{}: cannot be read to its end: {}", path, std::strerror(errno)));
  }
}

std::int64_t line_at(const std::string& path, std::int64_t offset) {
  std::int64_t line = 1;
  for_each_piece(path, [&](std::string_view bytes) {
    const auto before = std::min<std::int64_t>(offset, static_cast<std::int64_t>(bytes.size()));
    line += std::count(bytes.begin(), bytes.begin() + before, '\n');
    offset -= before;
    return offset > 0;
  });
  return line;
}

}  // namespace

void TextScan::take(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() && !fault_; i += kPiece) take_piece(bytes.substr(i, kPiece));
}

void TextScan::take_piece(std::string_view bytes) {
  if (mark_.size() < 2) {
    mark_ += bytes.substr(0, 2 - mark_.size());
    if (begins_as_utf16(mark_)) fault_ = {"not UTF-8 text", kOtherEncoding, 0};
  }
  const auto end = offset_ + static_cast<std::int64_t>(bytes.size());
  const std::size_t first_end = bytes.find('\n');
  look_at_line(first_end == std::string_view::npos ? end : offset_ + static_cast<std::int64_t>(first_end));
  if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos && !fault_) {
    fault_ = {"a zero byte, which text has not", kNotText, offset_ + static_cast<std::int64_t>(zero)};
  }
  if (first_end != std::string_view::npos) {
    line_begin_ = offset_ + static_cast<std::int64_t>(bytes.rfind('\n')) + 1;
  }
  offset_ = end;
}

void TextScan::look_at_line(std::int64_t end) {
  if (fault_ || end - line_begin_ <= kLongest) return;
  fault_ = {"the line is longer than 2 MB", kNotClosed, line_begin_};
}

void require_text(const std::string& path) {
  TextScan scan;
  for_each_piece(path, [&](std::string_view bytes) {
    scan.take(bytes);
    return !scan.fault();
  });
  if (!scan.fault()) return;
  const TextScan::Fault& fault = *scan.fault();
  throw input_error(fmt::format("{}: line {}: {} (offset {}); {}", path, line_at(path, fault.offset),
                                fault.what, fault.offset, fault.remedy));
}

bool is_utf8_file(const std::string& path) {
  bool good = true;
  int following = 0;  // bytes of a letter that are still to come
  for_each_piece(path, [&](std::string_view bytes) {
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      const bool continues = (byte & 0xC0U) == 0x80U;
      if (following > 0 ? !continues : continues || byte == 0xC0U || byte == 0xC1U || byte > 0xF4U) {
        good = false;
        return false;
      }
      if (following > 0) {
        --following;
      } else if (byte >= 0xC2U) {
        following = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : 1;
      }
    }
    return true;
  });
  return good && following == 0;
}

}  // namespace interpole::data
