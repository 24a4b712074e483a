// Progress of work whose parts are only found as it goes on. It moves with every step, never falls, and is
// not finished before it says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "interpole/sink.hpp"

namespace interpole::base {

class Steps {
 public:
  // `foreseen`: how many steps there may be; more are not shown.
  Steps(Sink& sink, std::string what, std::int64_t foreseen)
      : sink_(sink), what_(std::move(what)), foreseen_(std::max<std::int64_t>(foreseen, 1)) {
    sink_.progress(what_, 0, foreseen_);
  }

  // From any thread.
  void step() {
    const std::scoped_lock lock(mutex_);
    if (++done_ < foreseen_) sink_.progress(what_, done_, foreseen_);
  }

  void finish() { sink_.progress(what_, foreseen_, foreseen_); }

 private:
  Sink& sink_;
  std::string what_;
  std::int64_t foreseen_;
  std::mutex mutex_;  // two threads that report at once would otherwise let it fall
  std::int64_t done_ = 0;
};

}  // namespace interpole::base
