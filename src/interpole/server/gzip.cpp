#include "interpole/server/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "interpole/base/error.hpp"

namespace interpole {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for gzip's header
constexpr int kMemoryLevel = 8;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// q=0, q=0.0 … mean: not this one.
bool is_refused(std::string_view parameters) {
  const auto q = parameters.find("q=");
  return q != std::string_view::npos &&
         parameters.substr(q + 2).find_first_not_of("0. ") == std::string_view::npos;
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (bytes.size() > std::numeric_limits<uInt>::max() / 2 ||
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw runtime_error("what is to be served cannot be compressed; use fewer records");
  }
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int end = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (end != Z_STREAM_END)
    throw runtime_error("what is to be served cannot be compressed; use fewer records");
  return result;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const auto comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const auto item = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const auto semicolon = std::min(item.find(';'), item.size());
    if (without_blanks(item.substr(0, semicolon)) == "gzip") return !is_refused(item.substr(semicolon));
  }
  return false;
}

}  // namespace interpole
