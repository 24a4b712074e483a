// A sink for tests of stopping.
#pragma once

#include <atomic>

#include "interpole/sink.hpp"

namespace interpole::base {

// Lets so many questions pass, then asks to stop.
class StopsAfter : public Sink {
 public:
  explicit StopsAfter(int questions) : left_(questions) {}
  bool stop_requested() const override { return --left_ < 0; }

 private:
  mutable std::atomic<int> left_;
};

}  // namespace interpole::base
