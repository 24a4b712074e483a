#include "interpole/server/token.hpp"

#include <nettle/base64.h>
#include <nettle/memops.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "interpole/error.hpp"

namespace interpole::server {
namespace {

constexpr std::size_t kTokenBytes = 32;

std::array<std::uint8_t, kTokenBytes> random_bytes() {
  std::array<std::uint8_t, kTokenBytes> bytes{};
  for (std::size_t have = 0; have < bytes.size();) {
    const auto got = ::getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      throw runtime_error("the operating system gave no random numbers for the token; nothing is served");
    }
  }
  return bytes;
}

}  // namespace

std::string new_token() {
  const auto bytes = random_bytes();
  std::array<char, BASE64_ENCODE_LENGTH(kTokenBytes) + BASE64_ENCODE_FINAL_LENGTH> text{};
  base64_encode_ctx context;
  base64url_encode_init(&context);
  std::size_t size = base64_encode_update(&context, text.data(), bytes.size(), bytes.data());
  size += base64_encode_final(&context, text.data() + size);
  const std::string_view padded(text.data(), size);
  return std::string(padded.substr(0, padded.find('=')));
}

bool same_token(std::string_view given, std::string_view own) {
  // The length is no secret: every token has the same.
  return !own.empty() && given.size() == own.size() && memeql_sec(given.data(), own.data(), own.size()) != 0;
}

}  // namespace interpole::server
