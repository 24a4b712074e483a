#include "interpole/base/files/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <limits>

#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way of asking for gzip's header
constexpr int kMemoryLevel = 8;

[[noreturn]] void refuse(std::size_t size) {
  throw runtime_error(fmt::format(
      "{} bytes cannot be compressed: 2 GB are the most, if there is memory for them; use fewer records",
      size));
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (bytes.size() > std::numeric_limits<uInt>::max() / 2 ||
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    refuse(bytes.size());
  }
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int end = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (end != Z_STREAM_END) refuse(bytes.size());
  return result;
}

}  // namespace interpole::base
