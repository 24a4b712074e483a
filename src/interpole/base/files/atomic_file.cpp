#include "interpole/base/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "interpole/base/files/unfinished.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

constexpr int kMostLinks = 40;               // as the kernel has it
constexpr std::size_t kMostNameBytes = 200;  // of the name in a temporary one: with its ends it must fit

// Where the bytes must end up: behind any links, whether there is a file yet or not.
std::string behind_links(const std::string& path) {
  std::filesystem::path target(path);
  std::error_code problem;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(target, problem); ++links) {
    const auto next = std::filesystem::read_symlink(target, problem);
    if (problem) return path;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

bool is_link(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_symlink(path, unknown);
}

mode_t permissions_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// Of the file that is replaced; of a new one as asked.
mode_t permissions_for(const std::string& path, NewFile asked) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  return asked == NewFile::kPrivate ? 0600 : permissions_of_new_files();
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

std::string temporary_prefix(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return "." + name.substr(0, kMostNameBytes) + ".interpole-";
}

AtomicFile::AtomicFile(std::string path, NewFile permissions) : path_(std::move(path)) {
  if (!is_first_rank()) {
    open_directly(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    return;
  }
  if (path_ == "-") {
    path_ = "standard output";
    open_directly(::dup(STDOUT_FILENO));
    return;
  }
  path_ = behind_links(path_);
  if (is_special(path_)) {
    open_directly(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    return;
  }
  refuse_if(is_folder(path_), EISDIR);
  refuse_if(is_link(path_), ELOOP);
  temporary_ = folder_of(path_) + "/" + temporary_prefix(path_) + std::string(kTemporaryLetters, 'X');
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("cannot create it");
  }
  remember_unfinished(temporary_);
  // mkostemp makes the file private; where that cannot be changed it stays so.
  ::fchmod(descriptor_, permissions_for(path_, permissions));
}

void AtomicFile::refuse_if(bool unfit, int reason) const {
  errno = reason;
  if (unfit) fail("cannot replace it");
}

void AtomicFile::open_directly(int descriptor) {
  descriptor_ = descriptor;
  if (descriptor_ < 0) fail("cannot write to it");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_unfinished(temporary_);
}

void AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferSize) flush();
}

void AtomicFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("cannot write it");
    }
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) return close_checked();
  if (::fsync(descriptor_) != 0) fail("cannot write it");
  close_checked();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot replace it");
  forget_unfinished(temporary_);
  temporary_.clear();
  sync_folder();
}

// Some file systems tell of a failed write only here.
void AtomicFile::close_checked() {
  const int closing = descriptor_;
  descriptor_ = -1;
  if (::close(closing) != 0) fail("cannot write it");
}

void AtomicFile::sync_folder() const {
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && ::fsync(folder) == 0;
  const int reason = errno;
  if (folder >= 0) ::close(folder);
  // Some file systems have nothing to sync in a folder and say so.
  if (synced || reason == EINVAL || reason == ENOTSUP) return;
  throw runtime_error(
      fmt::format("{}: it is written and in place, but its folder cannot be synced to disk: {}; after a "
                  "power cut the file "
                  "may be as it was before",
                  path_, std::strerror(reason)));
}

void AtomicFile::fail(const char* what) const {
  throw runtime_error(
      fmt::format("{}: {}: {}; free the space or choose another output (option output) (a file that was "
                  "there before is unchanged)",
                  path_, what, std::strerror(errno)));
}

void write_file_atomically(const std::string& path, std::string_view bytes, NewFile permissions) {
  AtomicFile file(path, permissions);
  file.write(bytes);
  file.commit();
}

}  // namespace interpole::base
