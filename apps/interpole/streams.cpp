#include "streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "interpole/base/text/printable.hpp"
#include "interpole/error.hpp"

namespace interpole::cli {

void keep_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is the stream's own. Opened the wrong way round, so that using it is an error.
    const int way = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", way) != stream) std::abort();
  }
}

void print_text(std::string_view text) {
  const std::string safe = base::printable(text);
  if (std::fwrite(safe.data(), 1, safe.size(), stdout) == safe.size()) return;
  throw runtime_error(output_failed(std::strerror(errno)));
}

void print_error(std::string_view before, std::string_view text) {
  fmt::print(stderr, "{}{}\n", before, base::printable(text));
}

void flush_output() {
  errno = 0;
  const bool good = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (good) return;
  throw runtime_error(output_failed(errno == 0 ? "an earlier write failed" : std::strerror(errno)));
}

std::string output_failed(const std::string& reason) {
  return fmt::format("standard output: cannot be written: {}; what was printed is not whole", reason);
}

}  // namespace interpole::cli
