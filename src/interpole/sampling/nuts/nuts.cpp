#include "interpole/sampling/nuts/nuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/base/random.hpp"
#include "interpole/error.hpp"
#include "interpole/optimize/all_finite.hpp"
#include "interpole/sampling/nuts/trajectory.hpp"
#include "interpole/sampling/nuts/warm_up_schedule.hpp"

namespace interpole::sampling {
namespace {

// Streams of chains stand apart from all others made from the same seed.
constexpr std::uint64_t kMostChains = 1ULL << 32;

// How far the log density may be from the saved one: another instruction set may add in another order.
constexpr double kSameDensity = 1e-8;

base::RandomStream stream_of(const NutsState& state, std::int64_t iteration) {
  return base::RandomStream(state.seed, static_cast<std::uint64_t>(iteration), base::RandomPurpose::kNuts,
                            static_cast<std::uint32_t>(state.chain));
}

void require(bool holds, const char* what) {
  if (!holds) throw input_error(fmt::format("saved chain: {}; start the chain anew", what));
}

void require_consistent(const NutsState& state, int size) {
  const auto n = static_cast<std::size_t>(size);
  const std::size_t entries = metric_entries(state.options.metric, n);
  if (state.at.position.size() != n) {
    throw input_error(
        fmt::format("saved chain: it has {} coordinates, the target {}; it belongs to another "
                    "model, start the chain anew",
                    state.at.position.size(), n));
  }
  require(state.at.gradient.size() == n && state.moments.mean.size() == n, "lengths of vectors differ");
  require(state.inverse_metric.size() == entries && state.moments.products.size() == entries,
          "the metric has the wrong size");
  require(state.iteration >= 0 && state.moments.count >= 0 && state.dual_averaging.count >= 0,
          "a count is negative");
  require(state.chain < kMostChains, "the chain's number is too large");
  require(state.step_size > 0.0 && std::isfinite(state.step_size), "the step size is not above 0");
  require(std::isfinite(state.at.log_density) && optimize::all_finite(state.at.position) &&
              optimize::all_finite(state.at.gradient) && optimize::all_finite(state.moments.mean) &&
              optimize::all_finite(state.moments.products) && std::isfinite(state.dual_averaging.centre) &&
              std::isfinite(state.dual_averaging.mean_shortfall) &&
              std::isfinite(state.dual_averaging.averaged_log_step),
          "a number is not finite");
}

NutsState fresh_state(optimize::Objective& target, std::span<const double> start, const NutsOptions& options,
                      std::uint64_t seed, std::uint64_t chain) {
  options.validate();
  if (std::cmp_not_equal(start.size(), target.size())) {
    throw usage_error(
        fmt::format("starting point: {} coordinates, but the target has {}", start.size(), target.size()));
  }
  if (chain >= kMostChains) throw usage_error(fmt::format("chain {}: at most 2^32 chains", chain));
  NutsState state;
  state.options = options;
  state.options.inverse_metric.clear();
  state.seed = seed;
  state.chain = chain;
  state.at.position.assign(start.begin(), start.end());
  state.at.gradient.assign(start.size(), 0.0);
  state.inverse_metric = Metric(options.metric, target.size(), options.inverse_metric).inverse();
  state.moments = RunningMoments::empty(options.metric, target.size());
  return state;
}

}  // namespace

void NutsOptions::validate() const {
  if (warm_up < 0) throw usage_error(fmt::format("warm-up: {} iterations; give 0 or more", warm_up));
  if (!(target_accept > 0.0 && target_accept < 1.0)) {
    throw usage_error(
        fmt::format("target acceptance: {} is not between 0 and 1; 0.8 is usual", target_accept));
  }
  if (most_depth < 1 || most_depth > 20) {
    throw usage_error(fmt::format("tree depth: {} is not between 1 and 20; 10 is usual", most_depth));
  }
  if (!(most_energy_error > 0.0) || !std::isfinite(most_energy_error)) {
    throw usage_error(
        fmt::format("largest energy error: {} is not a finite number above 0", most_energy_error));
  }
  if (first_stretch < 0 || first_window < 2 || last_stretch < 0) {
    throw usage_error(
        fmt::format("warm-up windows: {}, {}, {}; the stretches take 0 or more iterations, the "
                    "first window 2 or more",
                    first_stretch, first_window, last_stretch));
  }
  if (!(step_size > 0.0) || !std::isfinite(step_size)) {
    throw usage_error(fmt::format("step size: {} is not a finite number above 0", step_size));
  }
}

// Lives at one address: its parts refer to each other.
class NutsChain::Impl {
 public:
  Impl(optimize::Objective& target, NutsState state)
      : state_(std::move(state)),
        metric_(state_.options.metric, target.size(), state_.inverse_metric),
        hamiltonian_(target, metric_),
        trajectory_(hamiltonian_, state_.options.most_depth, state_.options.most_energy_error),
        schedule_(state_.options.warm_up, state_.options.first_stretch, state_.options.first_window,
                  state_.options.last_stretch) {}

  void start();
  void verify() const;
  const NutsDraw& next();
  bool warming_up() const { return state_.iteration < state_.options.warm_up; }
  const NutsState& state() const { return state_; }

 private:
  void adapt(double accept_stat, base::RandomStream& random);
  void renew_metric(base::RandomStream& random);

  NutsState state_;
  Metric metric_;
  Hamiltonian hamiltonian_;
  Trajectory trajectory_;
  WarmUpSchedule schedule_;
  NutsDraw draw_;
};

void NutsChain::Impl::start() {
  if (!hamiltonian_.evaluate(state_.at)) {
    throw input_error(
        fmt::format("starting point of chain {}: the log density ({}) or its gradient is not "
                    "finite there; start elsewhere",
                    state_.chain, state_.at.log_density));
  }
  base::RandomStream random = stream_of(state_, 0);
  state_.step_size = reasonable_step_size(hamiltonian_, state_.at, state_.options.step_size, random);
  if (state_.step_size == 0.0) {
    throw input_error(
        fmt::format("chain {}: no step from the starting point is short enough to be accepted; "
                    "is the gradient that of the log density? Otherwise start elsewhere",
                    state_.chain));
  }
  if (std::isinf(state_.step_size)) {
    throw input_error(
        fmt::format("chain {}: the log density is flat, so it has no distribution to draw from; "
                    "give every free parameter a prior",
                    state_.chain));
  }
  state_.dual_averaging.restart(state_.step_size);
}

void NutsChain::Impl::verify() const {
  EvaluatedPoint here = state_.at;
  const bool finite = hamiltonian_.evaluate(here);
  const double saved = state_.at.log_density;
  if (finite && std::abs(here.log_density - saved) <= kSameDensity * std::max(1.0, std::abs(saved))) return;
  throw input_error(
      fmt::format("saved chain: its log density is {}, the target says {}; it belongs to other "
                  "data or another model, start the chain anew",
                  saved, here.log_density));
}

const NutsDraw& NutsChain::Impl::next() {
  base::RandomStream random = stream_of(state_, state_.iteration + 1);
  const Transition transition = trajectory_.advance(state_.at, state_.step_size, random);
  draw_.warm_up = warming_up();
  draw_.iteration = ++state_.iteration;
  draw_.position = state_.at.position;
  draw_.log_density = state_.at.log_density;
  draw_.accept_stat = transition.accept_stat;
  draw_.step_size = state_.step_size;
  draw_.tree_depth = transition.depth;
  draw_.leapfrogs = transition.leapfrogs;
  draw_.divergent = transition.divergent;
  draw_.energy = transition.energy;
  draw_.energy_error = transition.energy_error;
  if (draw_.warm_up) adapt(transition.accept_stat, random);
  return draw_;
}

void NutsChain::Impl::adapt(double accept_stat, base::RandomStream& random) {
  const auto iteration = static_cast<int>(state_.iteration);
  state_.step_size = state_.dual_averaging.learn(accept_stat, state_.options.target_accept);
  if (schedule_.feeds_metric(iteration)) state_.moments.add(state_.at.position);
  if (schedule_.renews_metric(iteration)) renew_metric(random);
  if (!warming_up() && state_.dual_averaging.count > 0) {
    state_.step_size = state_.dual_averaging.settled_step_size();
  }
}

void NutsChain::Impl::renew_metric(base::RandomStream& random) {
  // An estimate that is not a covariance (the chain ran off towards infinity) leaves the metric as it was.
  if (metric_.replace(state_.moments.regularised_covariance())) state_.inverse_metric = metric_.inverse();
  state_.moments.clear();
  const double found = reasonable_step_size(hamiltonian_, state_.at, state_.step_size, random);
  if (found > 0.0 && std::isfinite(found)) state_.step_size = found;
  state_.dual_averaging.restart(state_.step_size);
}

NutsChain::NutsChain(optimize::Objective& target, std::span<const double> start, const NutsOptions& options,
                     std::uint64_t seed, std::uint64_t chain)
    : impl_(std::make_unique<Impl>(target, fresh_state(target, start, options, seed, chain))) {
  impl_->start();
}

NutsChain::NutsChain(optimize::Objective& target, NutsState state) {
  state.options.validate();
  require_consistent(state, target.size());
  impl_ = std::make_unique<Impl>(target, std::move(state));
  impl_->verify();
}

NutsChain::~NutsChain() = default;
NutsChain::NutsChain(NutsChain&&) noexcept = default;
NutsChain& NutsChain::operator=(NutsChain&&) noexcept = default;

const NutsDraw& NutsChain::next() {
  return impl_->next();
}
std::int64_t NutsChain::iteration() const {
  return impl_->state().iteration;
}
bool NutsChain::warming_up() const {
  return impl_->warming_up();
}
const NutsState& NutsChain::state() const {
  return impl_->state();
}

}  // namespace interpole::sampling
