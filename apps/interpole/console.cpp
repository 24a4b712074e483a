#include "console.hpp"

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "interpole/base/files/unfinished.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/base/ranks/started_ranks.hpp"
#include "interpole/base/text/printable.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

constexpr int kBarWidth = 28;
constexpr auto kPatience = std::chrono::milliseconds(300);  // nothing is drawn for what is over sooner
constexpr auto kRedrawn = std::chrono::milliseconds(80);
// Under mpirun and srun there is no terminal, but a log that somebody reads: a line now and then.
constexpr auto kSaidAgain = std::chrono::seconds(30);

// Work that was asked to stop and does not within this time is ended: some of it, in a library's hands, never
// asks back. Work that has heard and has something to keep may need longer: a file of a million draws does.
constexpr auto kUntilHeard = std::chrono::milliseconds(700);
constexpr auto kUntilKept = std::chrono::seconds(60);

std::atomic<bool> stop_asked = false;
std::atomic<bool> stop_heard = false;
std::atomic<bool> something_to_keep = false;
std::atomic<bool> all_is_said = false;
std::atomic<bool> one_of_several = false;
sem_t was_asked;  // all that a signal's handler may post to

extern "C" void on_interrupt(int signal) {
  stop_asked = true;
  // A second one ends the program at once. But ranks get the same SIGTERM from several hands, from Slurm and
  // from mpirun or srun, which send SIGKILL themselves when they have waited long enough.
  if (signal != SIGTERM || !one_of_several) std::signal(signal, SIG_DFL);
  sem_post(&was_asked);
}

// Ends the program if the work does not. Every file is whole then, new or as it was.
void end_if_not_heard() {
  while (sem_wait(&was_asked) != 0) {
  }
  std::this_thread::sleep_for(kUntilHeard);
  if (stop_heard && something_to_keep) std::this_thread::sleep_for(kUntilKept);
  if (all_is_said) return;
  base::remove_unfinished();
  // Ranks may not have joined yet; who is the first is known before.
  const auto started = base::started_rank();
  if (!started || started->rank == 0) fmt::print(stderr, "error: stopped before the work was done\n");
  ::_exit(kInterrupted);
}

std::string duration(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60.0);
}

}  // namespace

void listen_for_interrupts() {
  sem_init(&was_asked, 0, 0);
  one_of_several = base::started_rank().has_value();
  std::thread(end_if_not_heard).detach();
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

void keep_results_when_stopped() {
  something_to_keep = true;
}

void hear_with_others() {
  stop_heard = true;
}

void say_nothing_more() {
  all_is_said = true;
}

bool interrupted() {
  return stop_asked;
}

bool use_colour() {
  return ::isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

Console::Console(bool quiet)
    : quiet_(quiet || !base::is_first_rank()),
      terminal_(::isatty(STDERR_FILENO) != 0),
      colour_(use_colour()) {}

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
  print_error("", with_flags(sentence));
}

void Console::warn(const std::string& sentence) {
  const std::scoped_lock lock(mutex_);
  if (quiet_) return;
  clear_bar();
  print_error(colour_ ? "\033[33mwarning:\033[0m " : "warning: ", with_flags(sentence));
}

void Console::progress(const std::string& what, std::int64_t done, std::int64_t total) {
  const std::scoped_lock lock(mutex_);
  if (quiet_ || !(terminal_ || one_of_several) || total <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (done == 0 || what != what_) {  // what is resumed does not begin at 0
    what_ = what;
    began_ = now;
    done_before_ = done;
  }
  const double spent = std::chrono::duration<double>(now - began_).count();
  std::string left;
  if (done > done_before_ && done < total) {
    const double rate = static_cast<double>(done - done_before_) / spent;
    left = fmt::format("about {} left", duration(static_cast<double>(total - done) / rate));
  }
  if (!terminal_) {
    if (now - std::max(began_, drawn_) < kSaidAgain) return;
    drawn_ = now;
    fmt::print(stderr, "{}: {} of {}{}{}\n", base::printable(what), done, total, left.empty() ? "" : ", ",
               left);
    return;
  }
  if (now - began_ < kPatience || (now - drawn_ < kRedrawn && done < total)) return;
  drawn_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const int filled = static_cast<int>(share * kBarWidth);
  std::string line = fmt::format("{:<10} ", what);
  for (int i = 0; i < kBarWidth; ++i) line += i < filled ? "█" : "░";
  line += fmt::format(" {}/{}{}{}", done, total, left.empty() ? "" : "  ", left);
  fmt::print(stderr, "\r\033[K{}", base::printable(line));
  bar_shown_ = true;
  if (done >= total) clear_bar();
  std::fflush(stderr);
}

bool Console::stop_requested() const {
  if (interrupted()) stop_heard = true;
  return base::stop_for_all(interrupted());
}

}  // namespace interpole::cli
