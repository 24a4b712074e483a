// Whether files are still what they were when reading began: a digest or a message that names a file must
// speak of the bytes that were read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace interpole::base {

// What the file system says of a file: which one it is, its size, and when it was last written or changed.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = -1;                 // of regular files; −1: none, or something that is read but once
  std::int64_t written = 0, changed = 0;  // nanoseconds

  bool operator==(const FileStamp&) const = default;
};

// Of what is behind links. Pipes and devices have no stamp: all of them are alike.
FileStamp file_stamp(const std::string& path);

// Both are there, are regular files, and are one and the same: by name, link or hard link.
bool same_file(const std::string& one, const std::string& other);

class WatchedFiles {
 public:
  WatchedFiles() = default;
  explicit WatchedFiles(std::span<const std::string> paths);

  // Throws an input error that names the first file that is not what it was.
  void require_unchanged() const;

 private:
  std::vector<std::pair<std::string, FileStamp>> files_;
};

}  // namespace interpole::base
