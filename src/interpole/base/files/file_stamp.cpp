#include "interpole/base/files/file_stamp.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "interpole/error.hpp"

namespace interpole::base {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileStamp file_stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

bool same_file(const std::string& one, const std::string& other) {
  const FileStamp a = file_stamp(one);
  const FileStamp b = file_stamp(other);
  return a.size >= 0 && b.size >= 0 && a.device == b.device && a.inode == b.inode;
}

WatchedFiles::WatchedFiles(std::span<const std::string> paths) {
  for (const std::string& path : paths) files_.emplace_back(path, file_stamp(path));
}

void WatchedFiles::require_unchanged() const {
  for (const auto& [path, stamp] : files_) {
    if (file_stamp(path) == stamp) continue;
    throw input_error(fmt::format(
        "{}: the file was changed while it was read or worked with; run again when nothing writes to it",
        path));
  }
}

}  // namespace interpole::base
