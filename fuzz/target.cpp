#include "target.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/error.hpp"

namespace interpole::fuzz {
namespace {

// The length of the UTF-8 character at the front and the character; length 0: there is none.
std::pair<std::size_t, char32_t> front_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {0, 0};
  char32_t character = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {0, 0};
    character = character << 6 | (byte(i) & 0x3Fu);
  }
  const char32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (character < least || character > 0x10FFFF || surrogate) return {0, 0};
  return {length, character};
}

bool steers(char32_t c) {
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
  const bool turns = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                     (c >= 0x2066 && c <= 0x2069);
  return control || turns;
}

}  // namespace

void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool is_safe_to_print(std::string_view text) {
  while (!text.empty()) {
    const auto [length, character] = front_of(text);
    if (length == 0 || steers(character)) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool taken(const std::function<void()>& act, std::string_view file) {
  try {
    act();
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const bool named = message.find(file) != std::string_view::npos;
    const bool kind = error.kind() == ErrorKind::kInput;
    if (!kind || !named || !is_safe_to_print(message)) std::fprintf(stderr, "%s\n", error.what());
    require(kind, "what is wrong with an input is an input error");
    require(named, "an error names the file");
    require(is_safe_to_print(message), "a message is safe to print");
    require(message.size() < 4096, "a message is short");
    return false;
  }
}

InputFile::InputFile(std::string_view bytes, const std::string& name) {
  if (name.empty()) {
    descriptor_ = ::memfd_create("input", MFD_CLOEXEC);
    require(descriptor_ >= 0, "the system gives a file in memory");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
    const auto written = ::write(descriptor_, bytes.data(), bytes.size());
    require(written == static_cast<ssize_t>(bytes.size()), "the system takes a file");
    return;
  }
  static const base::TemporaryFolder folder;
  path_ = folder.path() + "/" + name;
  std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  } else {
    ::unlink(path_.c_str());
  }
}

unsigned Bytes::below(unsigned limit) {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte % limit;
}

double Bytes::number() {
  double value = 0.0;
  const std::size_t size = std::min(rest_.size(), sizeof value);
  std::memcpy(&value, rest_.data(), size);
  rest_.remove_prefix(size);
  return value;
}

std::string Bytes::text(std::size_t most) {
  const std::size_t size = std::min<std::size_t>(below(static_cast<unsigned>(most) + 1), rest_.size());
  std::string text(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return text;
}

}  // namespace interpole::fuzz
