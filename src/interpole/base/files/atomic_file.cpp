#include "interpole/base/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "interpole/error.hpp"

namespace interpole::base {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Where the bytes must end up: behind any links.
std::string behind_links(const std::string& path) {
  std::error_code problem;
  const auto target = std::filesystem::canonical(path, problem);
  return problem ? path : target.string();
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    open_directly(::dup(STDOUT_FILENO));
    return;
  }
  path_ = behind_links(path_);
  if (is_special(path_)) {
    open_directly(::open(path_.c_str(), O_WRONLY));
    return;
  }
  temporary_ = folder_of(path_) + "/." + std::filesystem::path(path_).filename().string() + ".XXXXXX";
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("cannot create it");
  }
  // mkstemp makes the file private; a result is as readable as any file the user makes.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);
}

void AtomicFile::open_directly(int descriptor) {
  descriptor_ = descriptor;
  if (descriptor_ < 0) fail("cannot write to it");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail("cannot write it");
  const int closing = descriptor_;
  descriptor_ = -1;
  if (::close(closing) != 0) fail("cannot write it");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot replace it");
  temporary_.clear();
  const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

void AtomicFile::fail(const char* what) const {
  throw runtime_error(
      fmt::format("{}: {}: {}; free the space or choose another output (option output) (a file that was "
                  "there before is unchanged)",
                  path_, what, std::strerror(errno)));
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace interpole::base
