// What learners hear while many are fitted: a stop, and nothing else. Their own words would hide those of the
// whole.
#pragma once

#include "interpole/sink.hpp"

namespace interpole::evaluate {

class StopOnly : public Sink {
 public:
  explicit StopOnly(const Sink& sink) : sink_(sink) {}
  bool stop_requested() const override { return sink_.stop_requested(); }

 private:
  const Sink& sink_;
};

}  // namespace interpole::evaluate
