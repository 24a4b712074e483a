// Which iterations of a warm-up feed the metric, and after which it is renewed: a first stretch that only
// finds the target and a step size, windows of doubling length, and a last stretch that settles the step
// size. 1,000 iterations with the defaults: 75 | 25, 50, 100, 200, 500 | 50.
#pragma once

#include <vector>

namespace interpole::sampling {

class WarmUpSchedule {
 public:
  // If the stretches do not fit, 15% | one window | 10%. Below 20 iterations the metric stays as it is.
  WarmUpSchedule(int iterations, int first_stretch, int first_window, int last_stretch);

  // Iterations count from 1.
  bool feeds_metric(int iteration) const { return iteration > begin_ && iteration <= end_; }
  bool renews_metric(int iteration) const;
  const std::vector<int>& window_ends() const { return window_ends_; }

 private:
  int begin_ = 0;
  int end_ = 0;
  std::vector<int> window_ends_;
};

}  // namespace interpole::sampling
