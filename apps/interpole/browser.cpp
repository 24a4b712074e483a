#include "browser.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "interpole/base/files/atomic_file.hpp"

namespace interpole::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool there_is_a_display() {
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

BrowserStart::BrowserStart(const std::string& address) {
  std::string file = folder_.file("open.html");
  base::write_file_atomically(file,
                              fmt::format("<!doctype html><meta charset=\"utf-8\"><title>Interpole</title>"
                                          "<meta name=\"referrer\" content=\"no-referrer\">"
                                          "<meta http-equiv=\"refresh\" content=\"0;url={0}\">"
                                          "<a href=\"{0}\">Open the explorer</a>\n",
                                          address));
  // The shell ends at once and leaves the browser to itself.
  std::string shell = "sh";
  std::string option = "-c";
  std::string script = "xdg-open \"$0\" >/dev/null 2>&1 </dev/null &";
  char* const arguments[] = {shell.data(), option.data(), script.data(), file.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) == 0) ::waitpid(child, nullptr, 0);
}

}  // namespace interpole::cli
