// Output files that are complete or not there: written beside the target under a temporary name, synced to
// disk, then renamed over it. If anything fails, the old file is as it was and the temporary one is gone.
//
// A link is followed to the file it names. What is not a regular file (a pipe, /dev/null) is written to
// directly, and
// "-" is standard output: there is nothing to replace.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  // throws if the folder cannot be written
  ~AtomicFile();                          // discards everything unless commit() was called
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);  // buffered
  void commit();                       // flush, sync, rename, sync the folder

 private:
  void open_directly(int descriptor);
  void flush();
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;  // empty: written directly
  std::string buffer_;
  int descriptor_ = -1;
};

// The whole of a small file in one call.
void write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace interpole::base
