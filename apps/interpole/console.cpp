#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "option_words.hpp"

namespace interpole::cli {
namespace {

constexpr int kBarWidth = 28;
constexpr auto kPatience = std::chrono::milliseconds(300);  // nothing is drawn for what is over sooner
constexpr auto kRedrawn = std::chrono::milliseconds(80);

std::atomic<bool> stop_asked = false;

extern "C" void on_interrupt(int signal) {
  stop_asked = true;
  std::signal(signal, SIG_DFL);
}

std::string duration(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60.0);
}

}  // namespace

void listen_for_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() {
  return stop_asked;
}

bool use_colour() {
  return ::isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

Console::Console(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), colour_(use_colour()) {}

Console::~Console() {
  clear_bar();
}

void Console::clear_bar() {
  if (bar_shown_) std::fputs("\r\033[K", stderr);
  bar_shown_ = false;
}

void Console::note(const std::string& sentence) {
  const std::scoped_lock lock(mutex_);
  if (quiet_) return;
  clear_bar();
  fmt::print(stderr, "{}\n", with_flags(sentence));
}

void Console::warn(const std::string& sentence) {
  const std::scoped_lock lock(mutex_);
  if (quiet_) return;
  clear_bar();
  fmt::print(stderr, "{}warning:{} {}\n", colour_ ? "\033[33m" : "", colour_ ? "\033[0m" : "",
             with_flags(sentence));
}

void Console::progress(const std::string& what, std::int64_t done, std::int64_t total) {
  const std::scoped_lock lock(mutex_);
  if (quiet_ || !terminal_ || total <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (done == 0 || what != what_) {  // what is resumed does not begin at 0
    what_ = what;
    began_ = now;
    done_before_ = done;
  }
  if (now - began_ < kPatience || (now - drawn_ < kRedrawn && done < total)) return;
  drawn_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const int filled = static_cast<int>(share * kBarWidth);
  const double spent = std::chrono::duration<double>(now - began_).count();
  std::string line = fmt::format("{:<10} ", what);
  for (int i = 0; i < kBarWidth; ++i) line += i < filled ? "█" : "░";
  line += fmt::format(" {}/{}", done, total);
  if (done > done_before_ && done < total) {
    const double rate = static_cast<double>(done - done_before_) / spent;
    line += fmt::format("  about {} left", duration(static_cast<double>(total - done) / rate));
  }
  fmt::print(stderr, "\r\033[K{}", line);
  bar_shown_ = true;
  if (done >= total) clear_bar();
  std::fflush(stderr);
}

bool Console::stop_requested() const {
  return interrupted();
}

}  // namespace interpole::cli
