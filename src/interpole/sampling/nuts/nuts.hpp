// The no-U-turn sampler, one chain, one iteration at a time:
//
//   NutsChain chain(log_posterior, start, options, seed, chain_index);
//   while (chain.iteration() < wanted) keep(chain.next());
//
// Iteration k of chain c draws its random numbers from a stream of its own, named (seed, c, k). A chain made
// from a saved NutsState therefore goes on bit-identically, in warm-up and after it.
//
// The first options.warm_up iterations learn step size and metric; their draws are not draws of the target.
// A point where the log density or its gradient is not finite ends a trajectory as a divergence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpole/optimize/objective.hpp"
#include "interpole/sampling/nuts/dual_averaging.hpp"
#include "interpole/sampling/nuts/hamiltonian.hpp"
#include "interpole/sampling/nuts/metric.hpp"
#include "interpole/sampling/nuts/running_moments.hpp"

namespace interpole::sampling {

struct NutsOptions {
  int warm_up = 1000;  // iterations
  MetricKind metric = MetricKind::kDiagonal;
  double target_accept = 0.8;  // nearer to 1: shorter steps, fewer divergences
  int most_depth = 10;         // at most 2^depth − 1 leapfrog steps per iteration
  double most_energy_error = 1000.0;

  int first_stretch = 75;  // iterations of warm-up before the first window, see WarmUpSchedule
  int first_window = 25;
  int last_stretch = 50;

  double step_size = 1.0;              // where the search for the first step size begins
  std::vector<double> inverse_metric;  // n variances or an n·n covariance to begin with; empty: identity

  void validate() const;  // throws a usage error
};

// All of a chain between two iterations.
struct NutsState {
  NutsOptions options;  // without inverse_metric, which is below
  std::uint64_t seed = 0;
  std::uint64_t chain = 0;
  std::int64_t iteration = 0;  // finished
  EvaluatedPoint at;
  double step_size = 0.0;  // of the next iteration
  DualAveraging dual_averaging;
  std::vector<double> inverse_metric;
  RunningMoments moments;
};

struct NutsDraw {
  std::int64_t iteration = 0;  // from 1
  bool warm_up = false;
  std::vector<double> position;
  double log_density = 0.0;
  double accept_stat = 0.0;
  double step_size = 0.0;
  int tree_depth = 0;
  int leapfrogs = 0;
  bool divergent = false;
  double energy = 0.0;
  double energy_error = 0.0;
};

class NutsChain {
 public:
  // Throws an input error if the target is not finite at `start`, or flat.
  NutsChain(optimize::Objective& target, std::span<const double> start, const NutsOptions& options,
            std::uint64_t seed, std::uint64_t chain);

  // Goes on from a saved state. Throws an input error if the state does not fit together or the target has
  // another value where the chain stands.
  NutsChain(optimize::Objective& target, NutsState state);

  ~NutsChain();
  NutsChain(NutsChain&&) noexcept;
  NutsChain& operator=(NutsChain&&) noexcept;

  // Valid until the next call.
  const NutsDraw& next();

  std::int64_t iteration() const;  // finished ones
  bool warming_up() const;         // the next iteration is one of warm-up
  const NutsState& state() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace interpole::sampling
