// Where a log-density is highest and how wide it is there, from values alone: for targets that are smooth
// almost everywhere but have no gradient we could write down. What a sampler needs to begin well.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace interpole {

struct NormalFit {
  std::vector<double> mode;
  std::vector<double> covariance;  // n·n: of the normal density that falls off as fast
  double log_density = 0.0;        // at the mode
};

struct NormalFitOptions {
  // A change of one unit of a coordinate matters, one of a hundredth hardly does. Differences are taken in
  // these units. One for each coordinate.
  std::vector<double> units;
  double most_sd = 10.0;  // in units: directions of which the density says less are taken to be so wide
  int most_iterations = 60;
};

// Climbs by L-BFGS on central differences, 2n values an iteration; then measures how fast the density falls,
// first close by (4n² values), then at one standard deviation of what was found (2n² each time) until that
// fits: small kinks, of which derivatives make much, are too small to matter there. `stop` ends the climb.
// The density must be finite near the start.
NormalFit fit_normal(const std::function<double(std::span<const double>)>& log_density,
                     std::vector<double> start, const NormalFitOptions& options,
                     const std::function<bool()>& stop = {});

}  // namespace interpole
