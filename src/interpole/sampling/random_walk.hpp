// Proposals of a random-walk Metropolis sampler that learns its shape (Haario et al. 2001): normal steps
// whose covariance is that of the points seen, scaled until the wanted share of steps is accepted. For
// targets without a gradient and with few coordinates.
//
// The shape is learned over windows that double in length, so that what was seen on the way to the target is
// forgotten. Learning must end before draws are kept: call learn() during the warm-up only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/sampling/nuts/running_moments.hpp"

namespace interpole::sampling {

class RandomWalk {
 public:
  // Steps begin with the same standard deviation in every coordinate,
  RandomWalk(int size, double step);
  // or as is best for a normal target of this covariance (n·n, positive definite; throws a usage error).
  explicit RandomWalk(const std::vector<double>& covariance);

  void propose(std::span<const double> x, base::RandomStream& random, std::span<double> proposal) const;

  // `x`: where the chain is after the step, `acceptance`: how likely it was to accept.
  void learn(std::span<const double> x, double acceptance);

 private:
  // False, and nothing changed, if it is not positive definite.
  bool take_shape(const std::vector<double>& covariance);
  std::vector<double> learned_shape() const;

  std::size_t size_;
  std::vector<double> covariance_;  // of the target as far as it is known
  std::vector<double> factor_;      // lower triangle of its root, row by row
  double log_scale_ = 0.0;
  RunningMoments moments_;
  std::int64_t window_;       // ends after so many points
  std::int64_t learned_ = 0;  // since the shape changed last
};

struct MetropolisOptions {
  int warm_up = 1000;
  int draws = 1000;
  double step = 0.1;     // the first one, or the only one, unless a walk is given
  bool learning = true;  // false: the same step in all coordinates for ever
};

struct MetropolisChain {
  std::vector<std::vector<double>> draws;
  std::vector<double> log_densities;
  double acceptance = 0.0;  // share of accepted steps among the draws
  bool interrupted = false;
};

// `log_density` may be −∞, but not at the start.
MetropolisChain run_metropolis(const std::function<double(std::span<const double>)>& log_density,
                               std::vector<double> start, const MetropolisOptions& options,
                               base::RandomStream& random, const std::function<bool()>& stop = {});
// The same with steps that begin as `walk` has them.
MetropolisChain run_metropolis(const std::function<double(std::span<const double>)>& log_density,
                               std::vector<double> start, RandomWalk walk, const MetropolisOptions& options,
                               base::RandomStream& random, const std::function<bool()>& stop = {});

}  // namespace interpole::sampling
