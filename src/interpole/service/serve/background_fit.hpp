// A fit that runs while others watch: one at a time, with progress, and stopped when asked to.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "interpole/service/fit/fit_task.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

struct FitStatus {
  enum class State { kIdle, kRunning, kDone, kFailed, kStopped };
  State state = State::kIdle;
  double progress = 0.0;  // 0 … 1, never falling
  std::string message;    // what is being done, or what went wrong
  double seconds = 0.0;
  std::vector<std::string> warnings;
  std::string command;  // that does the same and keeps the model
  bool shown = false;   // others can see its result, even if there is more to come
};

std::string to_json(const FitStatus& status);

class BackgroundFit {
 public:
  // Fits, and does what is to be done with the model. Throws Error(kInterrupted) if it was stopped.
  using Work = std::function<void(const FitRequest&, Sink&)>;

  explicit BackgroundFit(Work work);
  ~BackgroundFit();  // stops
  BackgroundFit(const BackgroundFit&) = delete;
  BackgroundFit& operator=(const BackgroundFit&) = delete;

  // `command`: a command line that does the same. False: one is running.
  bool start(const FitRequest& request, const std::string& command);
  void stop();  // soon; does not wait
  // Back to idle after a fit has ended; false: one is running.
  bool forget();
  void tell_shown();  // called by the work
  FitStatus status() const;

 private:
  class Watcher;
  void run(const FitRequest& request);
  void end(FitStatus::State state, const std::string& message);

  Work work_;
  mutable std::mutex mutex_;  // guards what follows
  FitStatus status_;
  bool stop_ = false;
  std::chrono::steady_clock::time_point began_;
  std::thread thread_;
};

}  // namespace interpole::service
