#include "interpole/learners/observed/observed_process.hpp"

#include <algorithm>
#include <numeric>

namespace interpole::learners {
namespace {

// Of each step this share ends anyway, so that a policy that never stops has visits too.
constexpr double kLeak = 1e-9;

struct ContextCounts {
  std::vector<double> moves;     // [(x·A + a)·outcomes + z]
  std::vector<double> arrivals;  // [x]
  std::vector<double> left;      // [x]
};

// Who ends with an action that is not terminal, and no outcome, came to "not recorded" and left there.
template <class Arrive, class Move>
void walk(const HistoryTree& tree, const Structure& structure, const std::vector<std::size_t>& context,
          const Arrive& arrive, const Move& move) {
  const auto A = static_cast<std::size_t>(tree.action_count);
  std::vector<std::int64_t> ends(tree.action_counts);
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      const auto parent = static_cast<std::size_t>(tree.parent[node]);
      ends[parent * A + group.action] -= tree.passes[node];
      move(tree.depth[node] - 1, context[parent], group.action, group.observation, tree.passes[node]);
    }
  }
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    const auto decided = tree.decisions_at(static_cast<int>(node));
    arrive(tree.depth[node], context[node], tree.passes[node], tree.passes[node] - decided);
    for (std::size_t a = 0; a < A; ++a) {
      const auto ended = ends[node * A + a];
      if (ended == 0 || structure.is_terminal(static_cast<int>(a))) continue;
      move(tree.depth[node], context[node], static_cast<int>(a), kMissing, ended);
      arrive(tree.depth[node] + 1,
             ActionContexts(structure, ContextOf::kLastActionAndOutcome).of(static_cast<int>(a), kMissing),
             ended, ended);
    }
  }
}

ContextCounts counted(const HistoryTree& tree, const Structure& structure, const ActionContexts& contexts) {
  const std::size_t A = structure.actions.size();
  const std::size_t outcomes = structure.observations.size() + 1;
  ContextCounts counts;
  counts.moves.assign(contexts.size() * A * outcomes, 0.0);
  counts.arrivals.assign(contexts.size(), 0.0);
  counts.left.assign(contexts.size(), 0.0);
  walk(
      tree, structure, contexts.of_nodes(tree),
      [&](int, std::size_t x, std::int64_t came, std::int64_t left) {
        counts.arrivals[x] += static_cast<double>(came);
        counts.left[x] += static_cast<double>(left);
      },
      [&](int, std::size_t x, int a, int z, std::int64_t count) {
        const std::size_t outcome = z == kMissing ? outcomes - 1 : z;
        counts.moves[(x * A + a) * outcomes + outcome] += static_cast<double>(count);
      });
  return counts;
}

// P(z | a) over all contexts: what a context that was hardly seen is left to.
std::vector<double> overall_chances(const std::vector<double>& moves, const Structure& structure, int action,
                                    double weight) {
  const std::size_t A = structure.actions.size();
  const std::size_t Z = structure.observations.size();
  std::vector<double> result(Z + 1, 0.0);
  double total = 0.0;
  for (std::size_t row = action; row * (Z + 1) < moves.size(); row += A) {
    for (std::size_t z = 0; z <= Z; ++z) {
      result[z] += moves[row * (Z + 1) + z];
      total += moves[row * (Z + 1) + z];
    }
  }
  double allowed = 0.0;
  for (std::size_t z = 0; z < Z; ++z) allowed += structure.can_yield(action, static_cast<int>(z));
  for (std::size_t z = 0; z < Z; ++z) {
    if (structure.can_yield(action, static_cast<int>(z))) result[z] += weight / allowed;
  }
  for (double& p : result) p /= total + weight;
  return result;
}

}  // namespace

double ObservedProcess::expected_next(int context, int action, std::span<const double> values) const {
  if (terminal[action] != 0) return 0.0;
  const auto row = chances_of(context, action);
  return std::inner_product(row.begin(), row.end(), values.begin() + context_of(action, 0), 0.0);
}

ObservedProcess observed_process(const HistoryTree& tree, const Structure& structure, double pseudo_count) {
  const ActionContexts contexts(structure, ContextOf::kLastActionAndOutcome);
  const ContextCounts counts = counted(tree, structure, contexts);
  ObservedProcess process;
  process.actions = structure.action_count();
  process.outcomes = structure.observation_count() + 1;
  process.contexts = static_cast<int>(contexts.size());
  process.terminal = structure.terminal;
  process.chances.assign(counts.moves.size(), 0.0);
  for (int a = 0; a < process.actions; ++a) {
    if (structure.is_terminal(a)) continue;
    const auto prior = overall_chances(counts.moves, structure, a, pseudo_count);
    for (int x = 0; x < process.contexts; ++x) {
      const std::size_t row = (static_cast<std::size_t>(x) * process.actions + a) * process.outcomes;
      const double total = std::accumulate(&counts.moves[row], &counts.moves[row] + process.outcomes, 0.0);
      for (int z = 0; z < process.outcomes; ++z) {
        process.chances[row + z] = (counts.moves[row + z] + pseudo_count * prior[z]) / (total + pseudo_count);
      }
    }
  }
  const double arrivals = std::accumulate(counts.arrivals.begin(), counts.arrivals.end(), 0.0);
  const double left = std::accumulate(counts.left.begin(), counts.left.end(), 0.0);
  const double overall = arrivals > 0.0 ? left / arrivals : 0.0;
  for (int x = 0; x < process.contexts; ++x) {
    process.leaving.push_back((counts.left[x] + pseudo_count * overall) /
                              (counts.arrivals[x] + pseudo_count));
  }
  return process;
}

ObservedRecords observed_records(const HistoryTree& tree, const Structure& structure) {
  const ActionContexts contexts(structure, ContextOf::kLastActionAndOutcome);
  const auto of_node = contexts.of_nodes(tree);
  const std::size_t A = structure.actions.size();
  ObservedRecords result;
  result.records = tree.records;
  result.decisions.assign(contexts.size() * A, 0.0);
  const int deepest = tree.depth.empty() ? 0 : tree.depth.back();
  const int steps = std::min(deepest + 2, kMostObservedSteps);
  result.steps.assign(steps, {std::vector<double>(contexts.size(), 0.0), std::vector<double>(A, 0.0),
                              std::vector<double>(contexts.size() * A, 0.0), 0.0});
  std::vector<double> left(steps, 0.0);
  walk(
      tree, structure, of_node,
      [&](int step, std::size_t x, std::int64_t came, std::int64_t gone) {
        if (step >= steps) return;
        result.steps[step].arrivals[x] += static_cast<double>(came);
        left[step] += static_cast<double>(gone);
      },
      [](int, std::size_t, int, int, std::int64_t) {});
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    for (std::size_t a = 0; a < A; ++a) {
      const auto taken = static_cast<double>(tree.action_counts[node * A + a]);
      result.decisions[of_node[node] * A + a] += taken;
      if (structure.is_terminal(static_cast<int>(a)) && tree.depth[node] < steps) {
        result.steps[tree.depth[node]].stops[a] += taken;
        result.steps[tree.depth[node]].stops_at[of_node[node] * A + a] += taken;
      }
    }
  }
  for (int t = 0; t < steps; ++t) {
    const auto& arrivals = result.steps[t].arrivals;
    const double came = std::accumulate(arrivals.begin(), arrivals.end(), 0.0);
    result.steps[t].leaving = came > 0.0 ? left[t] / came : 1.0;
  }
  return result;
}

Occupancy::Occupancy(const ObservedProcess& process, std::span<const double> policy)
    : process_(process), policy_(policy) {
  const int X = process.contexts;
  // Arrivals: N = start + K N with K(x', x) = (1 − leaving(x)) π(a|x) P(z|x,a) for x' = (a, z).
  Eigen::MatrixXd moves = Eigen::MatrixXd::Identity(X, X);
  for (int x = 0; x < X; ++x) {
    const double stays = (1.0 - process.leaving[x]) * (1.0 - kLeak);
    for (int a = 0; a < process.actions; ++a) {
      if (process.terminal[a] != 0) continue;
      const double taken = stays * policy[static_cast<std::size_t>(x) * process.actions + a];
      const auto chances = process.chances_of(x, a);
      for (int z = 0; z < process.outcomes; ++z) moves(process.context_of(a, z), x) -= taken * chances[z];
    }
  }
  moves_.compute(moves);
  const Eigen::VectorXd arrivals = moves_.solve(Eigen::VectorXd::Unit(X, 0));
  for (int x = 0; x < X; ++x) visits_.push_back((1.0 - process.leaving[x]) * arrivals(x));
}

std::vector<double> Occupancy::pull_back(std::span<const double> by_occupancy) const {
  const int X = process_.contexts;
  const auto A = static_cast<std::size_t>(process_.actions);
  // worth(x): what one more arrival at x adds; the transposed system.
  Eigen::VectorXd direct = Eigen::VectorXd::Zero(X);
  for (int x = 0; x < X; ++x) {
    for (std::size_t a = 0; a < A; ++a) direct(x) += policy_[x * A + a] * by_occupancy[x * A + a];
    direct(x) *= 1.0 - process_.leaving[x];
  }
  const Eigen::VectorXd worth = moves_.transpose().solve(direct);
  const std::span<const double> values(worth.data(), static_cast<std::size_t>(X));
  std::vector<double> result(policy_.size());
  for (int x = 0; x < X; ++x) {
    for (std::size_t a = 0; a < A; ++a) {
      const double next = (1.0 - kLeak) * process_.expected_next(x, static_cast<int>(a), values);
      result[x * A + a] = visits_[x] * (by_occupancy[x * A + a] + next);
    }
  }
  return result;
}

}  // namespace interpole::learners
