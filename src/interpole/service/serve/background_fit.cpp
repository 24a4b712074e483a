#include "interpole/service/serve/background_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpole/error.hpp"

namespace interpole::service {
namespace {

using State = FitStatus::State;

// A fit goes through stages, and nobody knows at first how many there will be: each takes this share of what
// is left.
constexpr double kShareOfStage = 0.4;

const char* state_word(State state) {
  switch (state) {
    case State::kIdle:
      return "idle";
    case State::kRunning:
      return "running";
    case State::kDone:
      return "done";
    case State::kFailed:
      return "failed";
    default:
      return "stopped";
  }
}

}  // namespace

std::string to_json(const FitStatus& status) {
  const nlohmann::ordered_json json = {{"state", state_word(status.state)},
                                       {"progress", status.progress},
                                       {"message", status.message},
                                       {"seconds", status.seconds},
                                       {"warnings", status.warnings},
                                       {"command", status.command},
                                       {"shown", status.shown}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Writes what a fit says into the status.
class BackgroundFit::Watcher : public Sink {
 public:
  explicit Watcher(BackgroundFit& fit) : fit_(fit) {}

  void note(const std::string& sentence) override {
    const std::scoped_lock lock(fit_.mutex_);
    fit_.status_.message = sentence;
  }
  void warn(const std::string& sentence) override {
    const std::scoped_lock lock(fit_.mutex_);
    fit_.status_.warnings.push_back(sentence);
  }
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    if (total <= 0) return;
    const std::scoped_lock lock(fit_.mutex_);
    if (what != stage_) {
      stage_ = what;
      before_stage_ = fit_.status_.progress;
    }
    const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
    const double reached = before_stage_ + (1.0 - before_stage_) * kShareOfStage * share;
    fit_.status_.progress = std::max(fit_.status_.progress, reached);
    fit_.status_.message = fmt::format("{}: {} of {}", what, done, total);
  }
  bool stop_requested() const override {
    const std::scoped_lock lock(fit_.mutex_);
    return fit_.stop_;
  }

 private:
  BackgroundFit& fit_;
  std::string stage_;
  double before_stage_ = 0.0;  // progress when it began
};

BackgroundFit::BackgroundFit(Work work) : work_(std::move(work)) {}

BackgroundFit::~BackgroundFit() {
  stop();
  if (thread_.joinable()) thread_.join();
}

bool BackgroundFit::start(const FitRequest& request, const std::string& command) {
  const std::scoped_lock lock(mutex_);
  if (status_.state == State::kRunning) return false;
  if (thread_.joinable()) thread_.join();  // has ended: it takes no lock after leaving kRunning
  status_ = {State::kRunning, 0.0, "reading the data", 0.0, {}, command, false};
  stop_ = false;
  began_ = std::chrono::steady_clock::now();
  thread_ = std::thread([this, request] { run(request); });
  return true;
}

void BackgroundFit::run(const FitRequest& request) {
  try {
    Watcher watcher(*this);
    work_(request, watcher);
    end(State::kDone, "done");
  } catch (const Error& error) {
    const bool stopped = error.kind() == ErrorKind::kInterrupted;
    end(stopped ? State::kStopped : State::kFailed, stopped ? "stopped" : error.what());
  } catch (const std::exception& error) {
    end(State::kFailed, error.what());
  }
}

void BackgroundFit::end(State state, const std::string& message) {
  const std::scoped_lock lock(mutex_);
  status_.state = state;
  status_.message = message;
  if (state == State::kDone) status_.progress = 1.0;
  status_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void BackgroundFit::stop() {
  const std::scoped_lock lock(mutex_);
  stop_ = true;
}

bool BackgroundFit::forget() {
  const std::scoped_lock lock(mutex_);
  if (status_.state == State::kRunning) return false;
  status_ = {};
  return true;
}

void BackgroundFit::tell_shown() {
  const std::scoped_lock lock(mutex_);
  status_.shown = true;
}

FitStatus BackgroundFit::status() const {
  const std::scoped_lock lock(mutex_);
  FitStatus status = status_;
  if (status.state == State::kRunning) {
    status.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  return status;
}

}  // namespace interpole::service
