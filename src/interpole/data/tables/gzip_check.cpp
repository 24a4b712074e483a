#include "interpole/data/tables/gzip_check.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "interpole/data/tables/text_scan.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK)
      throw runtime_error("zlib could not be started; is memory short?");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // False if the bytes are not gzip. Several members in a row are one file, as gzip itself has it.
  bool take(unsigned char* bytes, std::size_t count) {
    stream_.next_in = bytes;
    stream_.avail_in = static_cast<uInt>(count);
    while (stream_.avail_in > 0) {
      if (whole_ && inflateReset(&stream_) != Z_OK) return false;
      whole_ = false;
      stream_.next_out = discarded_.data();
      stream_.avail_out = static_cast<uInt>(discarded_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      whole_ = status == Z_STREAM_END;
      scan_.take({reinterpret_cast<const char*>(discarded_.data()), discarded_.size() - stream_.avail_out});
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return false;
    }
    return true;
  }
  // The last member ended where the bytes did.
  bool whole() const { return whole_; }
  const TextScan& scan() const { return scan_; }

 private:
  z_stream stream_{};
  std::vector<unsigned char> discarded_ = std::vector<unsigned char>(kChunk);
  bool whole_ = false;
  TextScan scan_;
};

}  // namespace

void require_whole_gzip(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw input_error(fmt::format("{}: cannot open it", path));
  Inflater inflater;
  std::vector<unsigned char> bytes(kChunk);
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get())) {
    if (!inflater.take(bytes.data(), count)) {
      throw input_error(fmt::format(
          "{}: it is not a sound gzip file; compress the table again, or give it unpacked", path));
    }
  }
  if (std::ferror(file.get()) != 0) {
    throw input_error(fmt::format("{}: cannot be read to its end: {}", path, std::strerror(errno)));
  }
  if (!inflater.whole()) {
    throw input_error(
        fmt::format("{}: the gzip file ends too early, as if a copy had been cut off; copy it again", path));
  }
  if (const auto& fault = inflater.scan().fault()) {
    throw input_error(fmt::format("{}: {} (offset {} of the unpacked text); {}", path, fault->what,
                                  fault->offset, fault->remedy));
  }
}

}  // namespace interpole::data
