#include "interpole/learners/inverse_rl/reward_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/base/parallel.hpp"
#include "interpole/learners/inverse_rl/reward_posterior.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/sampling/nuts/nuts.hpp"

namespace interpole::learners {
namespace {

constexpr std::size_t kFrequentHistories = 8;
constexpr int kMostDepth = 8;  // 255 plans in one step: to be stopped within a second or two

// In φ the prior is wider than in the rewards, by 1 / (1 − γ) at most (reward_shaping.hpp).
double widest(const JointTarget& target, const RewardChainOptions& options) {
  return options.prior_sd_in_units / (1.0 - std::min(target.agent.discount, 0.99));
}

// The histories at which most decisions were taken.
std::vector<int> frequent_histories(const HistoryTree& tree) {
  std::vector<int> nodes(tree.parent.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::ranges::stable_sort(nodes, std::ranges::greater(), [&](int node) { return tree.decisions_at(node); });
  nodes.resize(std::min(nodes.size(), kFrequentHistories));
  return nodes;
}

// A point about twice as far from the peak as draws are, so that chains which agree have come from different
// places; nearer if the density is not normal enough for that.
std::vector<double> dispersed_start(optimize::WhitenedObjective& target, double highest,
                                    base::RandomStream& random) {
  const auto n = static_cast<std::size_t>(target.size());
  const double deepest = highest - 10.0 * static_cast<double>(n);
  std::vector<double> start(n);
  std::vector<double> unused(n);
  for (double sd = 2.0; sd > 0.01; sd *= 0.8) {
    for (double& z : start) z = sd * random.normal();
    if (target.evaluate(start, unused) > deepest) return start;
  }
  return std::vector<double>(n, 0.0);
}

// One chain.
class Sampler {
 public:
  Sampler(const JointTarget& target, const optimize::NormalFit& peak, const RewardChainOptions& options,
          const DrawRow& row)
      : target_(target),
        options_(options),
        row_(row),
        frequent_(frequent_histories(target.tree)),
        posterior_(target),
        white_(posterior_, peak),
        highest_(peak.log_density) {}

  RewardChain run(int index, base::RandomStream& random, const std::function<bool()>& stop) {
    sampling::NutsOptions how;
    how.warm_up = options_.warm_up();
    how.most_depth = kMostDepth;
    sampling::NutsChain nuts(white_, dispersed_start(white_, highest_, random), how, options_.seed, index);
    RewardChain chain;
    while (nuts.iteration() < options_.steps) {
      if (stop()) {
        chain.interrupted = true;
        return chain;
      }
      const sampling::NutsDraw draw = nuts.next();
      redraw_unseen(nuts, random);
      if (!draw.warm_up) keep(draw, nuts.state().at, chain);
    }
    chain.acceptance /= static_cast<double>(chain.draws.size());
    return chain;
  }

 private:
  // Trajectories are slow in what decisions hardly show, which is wide and, with a horizon, not quite normal.
  // It is drawn anew as a whole.
  void redraw_unseen(sampling::NutsChain& nuts, base::RandomStream& random) {
    sampling::NutsState state = nuts.state();
    const std::span<const double> place = white_.place(state.at.position);
    std::vector<double> x(place.begin(), place.end());
    const double by_prior = posterior_.redraw_unseen(x, random);
    sampling::EvaluatedPoint there{white_.whitened(x), std::vector<double>(x.size()), 0.0};
    there.log_density = white_.evaluate(there.position, there.gradient);
    const double log_ratio = there.log_density - state.at.log_density - by_prior;
    if (!(random.uniform() < std::exp(log_ratio))) return;
    state.at = std::move(there);
    nuts = sampling::NutsChain(white_, std::move(state));
  }

  void keep(const sampling::NutsDraw& draw, const sampling::EvaluatedPoint& at, RewardChain& chain) {
    const std::span<const double> x = white_.place(at.position);
    const Dynamics dynamics = posterior_.dynamics(x);
    const std::vector<double> rewards = posterior_.rewards(x);
    chain.draws.push_back(row_(dynamics, rewards));
    chain.log_densities.push_back(at.log_density);
    chain.policies.push_back(policies(dynamics, rewards));
    chain.acceptance += draw.accept_stat;
    chain.divergent += draw.divergent ? 1 : 0;
  }

  std::vector<double> policies(const Dynamics& dynamics, std::span<const double> rewards) const {
    const inference::NodeBeliefs all =
        inference::node_beliefs(target_.tree, target_.agent.structure, dynamics);
    std::vector<double> beliefs;
    for (const int node : frequent_) {
      const auto belief = all.at(node);
      beliefs.insert(beliefs.end(), belief.begin(), belief.end());
    }
    return softmax_policies(planning::BeliefTable::of(beliefs, static_cast<int>(all.states)),
                            target_.agent.inverse_temperature, target_.agent.plan(dynamics, rewards));
  }

  const JointTarget& target_;
  const RewardChainOptions& options_;
  const DrawRow& row_;
  std::vector<int> frequent_;
  RewardPosterior posterior_;
  optimize::WhitenedObjective white_;
  double highest_;
};

}  // namespace

optimize::NormalFit highest_peak(const std::string& learner, const JointTarget& target,
                                 const Dynamics& dynamics, const std::vector<std::vector<double>>& starts,
                                 const RewardChainOptions& options, Sink& sink) {
  // A climb across kinks gets no closer than this: asking for more would only try the line search's patience.
  const optimize::LbfgsOptions climb{
      .most_iterations = 200, .gradient_tolerance = 1e-2, .value_tolerance = 1e-7, .slow_tolerance = 1e-5};
  std::vector<std::vector<double>> peaks(starts.size());
  std::vector<double> heights(starts.size());
  base::parallel_tasks(static_cast<int>(starts.size()), options.threads, [&](int i) {
    RewardPosterior posterior(target);
    peaks[i] = posterior.coordinates(dynamics, starts[i]);
    heights[i] =
        optimize::maximise_lbfgs(posterior, peaks[i], climb, [&] { return sink.stop_requested(); }).value;
  });
  if (sink.stop_requested()) throw interrupted_learner(learner);
  RewardPosterior posterior(target);
  const auto highest = std::ranges::max_element(heights) - heights.begin();
  return fit_normal(posterior, peaks[highest], widest(target, options));
}

std::vector<RewardChain> sample_rewards(const std::string& learner, const JointTarget& target,
                                        const optimize::NormalFit& peak, const RewardChainOptions& options,
                                        const DrawRow& row, Sink& sink) {
  std::vector<RewardChain> chains(options.chains);
  run_chains(learner, options, sink,
             [&](int i, base::RandomStream& random, const std::function<bool()>& stop) {
               chains[i] = Sampler(target, peak, options, row).run(i, random, stop);
               return !chains[i].interrupted;
             });
  return chains;
}

}  // namespace interpole::learners
