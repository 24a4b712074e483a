#include "interpole/data/tables/last_line.hpp"

#include <fmt/format.h>

#include <fstream>

#include "interpole/error.hpp"

namespace interpole::data {

void LastLine::take(std::string_view bytes) {
  const auto end = bytes.rfind('\n');
  const bool goes_on = end == std::string_view::npos;
  length_ =
      static_cast<std::int64_t>(goes_on ? bytes.size() : bytes.size() - end - 1) + (goes_on ? length_ : 0);
}

void LastLine::check(const std::string& path) const {
  if (length_ <= kLongest) return;
  throw input_error(fmt::format(
      "{}: the last line is longer than 2 MB; look for a quote that is never closed, or for bytes "
      "that are not text",
      path));
}

void check_last_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::int64_t>(file.tellg());
  if (size <= LastLine::kLongest) return;
  std::string end(static_cast<std::size_t>(LastLine::kLongest) + 1, '\0');
  file.seekg(size - static_cast<std::int64_t>(end.size()));
  if (!file.read(end.data(), static_cast<std::streamsize>(end.size()))) {
    throw input_error(fmt::format("{}: its end cannot be read; is the disk sound?", path));
  }
  LastLine line;
  line.take(end);
  line.check(path);
}

}  // namespace interpole::data
