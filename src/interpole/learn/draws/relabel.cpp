#include "interpole/learn/draws/relabel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/belief.hpp"
#include "interpole/learn/fit/labels.hpp"
#include "interpole/learn/terms/kind_choice.hpp"

namespace interpole::learn {
namespace {

// Beliefs at the histories that most records share are enough to tell namings apart.
constexpr int kMostHistories = 256;
// A relabelling must be closer by so much (mean difference of a belief), or names stay as they are.
constexpr double kClearlyCloser = 1e-6;

struct History {
  int parent = -1;  // in the list
  Step step{};
  double weight = 0.0;               // share of the decisions
  std::vector<double> covariates{};  // of a root
};

// Records that reach a history reach all before it: the most frequent ones are closed under parents, which
// come first.
std::vector<History> frequent_histories(const HistoryTree& tree) {
  std::vector<int> nodes(tree.node_count());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](int x, int y) { return tree.passes[x] > tree.passes[y]; });
  nodes.resize(std::min<std::size_t>(nodes.size(), kMostHistories));
  std::vector<int> place(tree.node_count(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = static_cast<int>(i);
  std::vector<History> histories(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int parent = tree.parent[nodes[i]];
    histories[i].parent = parent < 0 ? -1 : place[parent];
    histories[i].weight = static_cast<double>(tree.decisions_at(nodes[i]));
    if (parent < 0) {
      const auto covariates = tree.covariates_of_root(nodes[i]);
      histories[i].covariates.assign(covariates.begin(), covariates.end());
    }
  }
  for (const auto& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      if (place[node] < 0) continue;
      histories[place[node]].step = group.step();
    }
  }
  double total = 0.0;
  for (const auto& history : histories) total += history.weight;
  for (auto& history : histories) history.weight /= std::max(total, 1.0);
  return histories;
}

class Matcher {
 public:
  Matcher(const HistoryTree& tree, const DecisionProblem& problem, const Parameters& reference)
      : structure_(problem.structure),
        relabellings_(allowed_relabellings(problem)),
        histories_(frequent_histories(tree)),
        reference_(beliefs(reference.dynamics)) {}

  bool trivial() const { return relabellings_.size() < 2; }

  std::vector<double> beliefs(const Dynamics& dynamics) const {
    const std::size_t S = structure_.states.size();
    std::vector<double> result(histories_.size() * S);
    for (std::size_t i = 0; i < histories_.size(); ++i) {
      const History& history = histories_[i];
      const std::span<double> here(&result[i * S], S);
      if (history.parent < 0) {
        start_belief(dynamics, history.covariates, here);
      } else {
        update_belief(structure_, dynamics, history.step,
                      std::span<const double>(&result[history.parent * S], S), here);
      }
    }
    return result;
  }

  // The relabelling under which these beliefs are closest to the reference; the first is the identity.
  const std::vector<int>& closest(const std::vector<double>& beliefs) const {
    std::size_t best = 0;
    double least = distance(beliefs, relabellings_[0]) - kClearlyCloser;
    for (std::size_t k = 1; k < relabellings_.size(); ++k) {
      const double apart = distance(beliefs, relabellings_[k]);
      if (apart < least) {
        least = apart;
        best = k;
      }
    }
    return relabellings_[best];
  }

  bool is_identity(const std::vector<int>& order) const { return order == relabellings_[0]; }

 private:
  double distance(const std::vector<double>& beliefs, const std::vector<int>& order) const {
    const std::size_t S = order.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < histories_.size(); ++i) {
      double difference = 0.0;
      for (std::size_t s = 0; s < S; ++s) {
        difference += std::abs(beliefs[i * S + order[s]] - reference_[i * S + s]);
      }
      sum += 0.5 * histories_[i].weight * difference;
    }
    return sum;
  }

  const Structure& structure_;
  std::vector<std::vector<int>> relabellings_;
  std::vector<History> histories_;
  std::vector<double> reference_;
};

std::vector<double> mean_beliefs(const Matcher& matcher, const SampledChain& chain) {
  std::vector<double> mean;
  for (const SampledDraw& draw : chain.draws) {
    const auto beliefs = matcher.beliefs(draw.agent_world.agent.dynamics);
    mean.resize(beliefs.size(), 0.0);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += beliefs[i] / static_cast<double>(chain.draws.size());
    }
  }
  return mean;
}

void align_chain(const Matcher& matcher, const Structure& structure, SampledChain& chain) {
  if (chain.draws.empty()) return;
  const auto& whole = matcher.closest(mean_beliefs(matcher, chain));
  chain.relabelled = !matcher.is_identity(whole);
  for (SampledDraw& draw : chain.draws) {
    if (chain.relabelled) draw.agent_world = permute_states(structure, draw.agent_world, whole);
    const auto& order = matcher.closest(matcher.beliefs(draw.agent_world.agent.dynamics));
    if (matcher.is_identity(order)) continue;
    draw.agent_world = permute_states(structure, draw.agent_world, order);
    ++chain.relabelled_draws;
  }
}

}  // namespace

void align_draws(const HistoryTree& tree, const DecisionProblem& problem, const Parameters& reference,
                 std::vector<SampledChain>& chains) {
  const Matcher matcher(tree, problem, reference);
  for (SampledChain& chain : chains) {
    if (!matcher.trivial()) align_chain(matcher, problem.structure, chain);
    for (SampledDraw& draw : chain.draws) match_kinds(reference.policy, draw.agent_world.agent.policy);
  }
}

}  // namespace interpole::learn
