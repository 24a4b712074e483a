// The step size that makes a sampler accept as often as asked (Nesterov's dual averaging, as in Hoffman and
// Gelman 2014, section 3.2). A plain struct: it is part of what a checkpoint saves.
#pragma once

#include <cstdint>

namespace interpole::sampling {

struct DualAveraging {
  double centre = 0.0;  // log step size towards which the search is drawn
  std::int64_t count = 0;
  double mean_shortfall = 0.0;     // target − acceptance, averaged
  double averaged_log_step = 0.0;  // what is kept when the search ends

  // Starts anew around ten times `step_size`: trying long steps is cheap, short ones are not.
  void restart(double step_size);

  // Learns from one acceptance statistic; returns the step size to try next.
  double learn(double accept_stat, double target);

  double settled_step_size() const;  // of the average; needs count > 0
};

}  // namespace interpole::sampling
