// What the user sees on stderr: a progress bar on a terminal, warnings, and Ctrl-C turned into a polite
// request.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "interpole/sink.hpp"

namespace interpole::cli {

class Console : public Sink {
 public:
  explicit Console(bool quiet);
  ~Console() override;

  void note(const std::string& sentence) override;
  void warn(const std::string& sentence) override;
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override;
  bool stop_requested() const override;

 private:
  void clear_bar();

  bool quiet_;
  bool terminal_;
  bool colour_;
  bool bar_shown_ = false;
  std::mutex mutex_;
  std::string what_;              // is under way
  std::int64_t done_before_ = 0;  // of it, when it was first heard of
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point drawn_{};
};

// The first Ctrl-C (or SIGTERM) asks for a stop; work that does not end by itself is ended within a second. A
// second one ends the program at once.
void listen_for_interrupts();
// Said by verbs that write what they have when they are stopped: once they have heard, they get longer.
void keep_results_when_stopped();
// Said by one of several ranks: it hears when ranks next gather, which may be later than it would by itself.
void hear_with_others();
// Said when ranks have parted: mpirun then sends SIGTERM to those that are still leaving, and there is
// nothing left to stop.
void say_nothing_more();
bool interrupted();

// stderr is a terminal and NO_COLOR is not set.
bool use_colour();

}  // namespace interpole::cli
