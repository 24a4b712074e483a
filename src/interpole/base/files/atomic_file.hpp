// Output files that are complete or not there: written beside the target under a temporary name, synced to
// disk, then renamed over it. If anything fails, the old file is as it was and the temporary one is gone.
//
// A link is followed to the file it names, also if that is not there yet. What is not a regular file (a pipe,
// /dev/null) is written to directly, and "-" is standard output: there is nothing to replace. A folder is
// refused. Of several ranks the first one writes; what others write goes nowhere.
//
// A file that is replaced keeps its permissions: what was private stays so. A new one is as readable as the
// user's other files, unless it says something about individuals.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

enum class NewFile {
  kShared,   // as the umask has it
  kPrivate,  // only its owner may read it
};

class AtomicFile {
 public:
  // Throws if the folder cannot be written.
  explicit AtomicFile(std::string path, NewFile permissions = NewFile::kShared);
  ~AtomicFile();  // discards everything unless commit() was called
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);  // buffered
  // Flush, sync, rename, sync the folder. If only the last fails, the error says that the file is in place.
  void commit();

 private:
  void refuse_if(bool unfit, int reason) const;
  void open_directly(int descriptor);
  void close_checked();
  void sync_folder() const;
  void flush();
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;  // empty: written directly
  std::string buffer_;
  int descriptor_ = -1;
};

// The whole of a small file in one call.
void write_file_atomically(const std::string& path, std::string_view bytes,
                           NewFile permissions = NewFile::kShared);

// What AtomicFile calls the file it writes to until it is whole: ".NAME.interpole-" and six letters.
std::string temporary_prefix(const std::string& path);
inline constexpr std::size_t kTemporaryLetters = 6;

}  // namespace interpole::base
