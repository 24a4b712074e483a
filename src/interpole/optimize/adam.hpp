// Adam (Kingma and Ba, 2015) for ascent: the update rule, and the loop that stops when patience runs out.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/summary.hpp"

namespace interpole::optimize {

class Adam {
 public:
  explicit Adam(int size, double rate = 0.001) : rate_(rate), first_(size, 0.0), second_(size, 0.0) {}

  // x += rate · m̂ / (√v̂ + 1e-8)
  void step(std::span<const double> gradient, std::span<double> x);

 private:
  double rate_;
  double first_decay_ = 1.0;   // 0.9^k
  double second_decay_ = 1.0;  // 0.999^k
  std::vector<double> first_, second_;
};

struct AdamOptions {
  double rate = 0.001;
  int patience = 100;  // stop after so many iterations without a new best value
  int most_iterations = 200'000;
  void validate() const;  // throws a usage error
};

// Leaves the best point seen in x. `stop` is asked once per iteration.
OptimizeSummary maximise_adam(Objective& objective, std::span<double> x, const AdamOptions& options,
                              const std::function<bool()>& stop = {});

}  // namespace interpole::optimize
