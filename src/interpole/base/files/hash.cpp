#include "interpole/base/files/hash.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "interpole/base/memory/memory_file.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }
  void add(std::string_view bytes) {
    sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }
  std::string hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context_, digest.size(), digest.data());
    std::string text;
    for (const auto byte : digest) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  sha256_ctx context_{};
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
  if (const auto content = memory_content(path)) {
    Sha256 hash;
    content->read([&](std::string_view piece) { hash.add(piece); });
    return hash.hex();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(fmt::format("{}: cannot open it: {}", path, std::strerror(errno)));
  Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    hash.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) throw input_error(fmt::format("{}: cannot read it: {}", path, std::strerror(errno)));
  return hash.hex();
}

}  // namespace interpole::base
