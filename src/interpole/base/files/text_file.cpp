#include "interpole/base/files/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "interpole/base/memory/memory_file.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kParserPadding = 64;  // with room to spare at the end, parsers need no copy

}  // namespace

std::string read_text_file(const std::string& path, const std::string& what) {
  if (const auto content = memory_content(path)) {
    std::string text;
    content->read([&](std::string_view piece) { text += piece; });
    return text;
  }
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::is_directory(status)) {
    throw input_error(fmt::format("{}: this is a folder; give the {} in it", path, what));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(fmt::format("{}: cannot open it: {}", path, std::strerror(errno)));
  const auto refuse_size = [&] {
    throw input_error(fmt::format("{}: larger than {} MB; this is not a {}", path, kMostBytes >> 20, what));
  };
  std::size_t expected = 0;
  if (std::filesystem::is_regular_file(status)) expected = std::filesystem::file_size(path, unknown);
  if (!unknown && expected > kMostBytes) refuse_size();
  std::string text;
  if (!unknown) text.reserve(expected + kParserPadding);
  std::vector<char> buffer(std::size_t{1} << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostBytes) refuse_size();  // a pipe, or a file that grows
  }
  if (file.bad()) throw input_error(fmt::format("{}: cannot read it: {}", path, std::strerror(errno)));
  return text;
}

}  // namespace interpole::base
