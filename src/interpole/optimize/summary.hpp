// How an optimisation went. Not converging is a result, not an exception.
#pragma once

#include <string>

namespace interpole::optimize {

struct OptimizeSummary {
  enum class Stop { kGradient, kValue, kIterations, kLineSearch, kPatience, kInterrupted };
  double value = 0.0;  // at the best point seen
  int iterations = 0;
  int evaluations = 0;
  double gradient_norm = 0.0;
  Stop stop = Stop::kGradient;

  // A line search that can gain no more counts when the gradient is already at the level of rounding errors.
  bool converged = false;
};

std::string describe(OptimizeSummary::Stop stop);

}  // namespace interpole::optimize
