#include "interpole/explain/audit/node_flags.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/belief.hpp"
#include "interpole/boundary.hpp"
#include "interpole/explain/audit/belief_distance.hpp"
#include "interpole/explain/audit/measured_tests.hpp"
#include "interpole/explain/record/measured_branches.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/time/step_transitions.hpp"

namespace interpole::explain {
namespace {

// Mean − k·SD of the moves of all recorded visits that have an outcome.
double least_significant_move(const HistoryTree& tree, const inference::NodeBeliefs& beliefs, int end,
                              double k) {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const HistoryTree::Group& group : tree.groups) {
    if (group.observation == kMissing) continue;
    for (int node = group.begin; node < std::min(group.end, end); ++node) {
      const double move = belief_distance(beliefs.at(node), beliefs.at(tree.parent[node]));
      const auto weight = static_cast<double>(tree.passes[node]);
      count += weight;
      sum += weight * move;
      squares += weight * move * move;
    }
  }
  if (count == 0.0) return 0.0;
  const double mean = sum / count;
  return mean - k * std::sqrt(std::max(0.0, squares / count - mean * mean));
}

class FlagWalk {
 public:
  FlagWalk(const HistoryTree& tree, const Structure& structure, const Parameters& agent,
           const AuditRules& rules, const AuditOptions& options)
      : tree_(tree),
        structure_(structure),
        agent_(agent),
        rules_(rules),
        options_(options),
        beliefs_(inference::node_beliefs(tree, structure, agent.dynamics)),
        measured_(structure, agent.dynamics, rules),
        transitions_(structure, agent.dynamics),
        missed_(tree.parent.size(), 0),
        clearly_missed_(tree.parent.size(), 0),
        clearly_wanted_(tree.parent.size(), 0),
        next_(structure.states.size()),
        logs_(structure.actions.size()) {
    const std::size_t nodes = tree.parent.size();
    for (auto* flag : {&flags_.wanted, &flags_.confirmed, &flags_.belated, &flags_.clearly_belated,
                       &flags_.uninformative}) {
      flag->assign(nodes, 0);
    }
    flags_.impossible = beliefs_.impossible;
  }

  NodeFlags run(bool with_signs) {
    const int end = beliefs_.impossible.value_or(tree_.node_count());
    flags_.least_move = least_significant_move(tree_, beliefs_, end, options_.insignificant);
    std::vector<double> kinds;
    const auto contexts = inference::node_contexts(tree_, structure_, agent_.policy, beliefs_, kinds);
    for (int node = 0; node < end; ++node) {
      const int action = most_likely_action(structure_, agent_.policy, beliefs_.at(node), contexts[node]);
      flags_.wanted[node] = rules_.is_test(action) ? 1 : 0;
      clearly_wanted_[node] = flags_.wanted[node] != 0 && is_clear(beliefs_.at(node), contexts[node]) ? 1 : 0;
    }
    if (with_signs) flags_.unwanted_with.assign(tree_.parent.size(), 0.0F);
    for (int node = 0; with_signs && node < end; ++node) {
      if (flags_.wanted[node] != 0)
        flags_.unwanted_with[node] = unwanted_with(beliefs_.at(node), contexts[node]);
    }
    for (const HistoryTree::Group& group : tree_.groups) {
      for (int node = group.begin; node < std::min(group.end, end); ++node) judge(node, group);
    }
    return std::move(flags_);
  }

 private:
  // A test is likelier than anything else by so much.
  bool is_clear(std::span<const double> belief, const DecisionContext& context) {
    log_action_probabilities(structure_, agent_.policy, belief, context, logs_);
    double test = 0.0;
    double other = 0.0;
    for (std::size_t a = 0; a < logs_.size(); ++a) {
      double& likeliest = rules_.is_test(static_cast<int>(a)) ? test : other;
      likeliest = std::max(likeliest, std::exp(logs_[a]));
    }
    return test - other >= options_.clearly;
  }

  // In steps of a hundredth.
  float unwanted_with(std::span<const double> belief, const DecisionContext& context) {
    const std::size_t S = belief.size();
    for (int percent = static_cast<int>(100 / S) + 1; percent <= 95; ++percent) {
      const double right = percent / 100.0;
      for (std::size_t sign = 0; sign < S; ++sign) {
        double total = 0.0;
        for (std::size_t s = 0; s < S; ++s) {
          next_[s] = belief[s] * (s == sign ? right : (1.0 - right) / static_cast<double>(S - 1));
          total += next_[s];
        }
        for (double& x : next_) x /= total;
        if (!rules_.is_test(most_likely_action(structure_, agent_.policy, next_, context))) {
          return static_cast<float>(right);
        }
      }
    }
    return NAN;
  }

  void judge(int node, const HistoryTree::Group& last) {
    const int parent = tree_.parent[node];
    const bool tested = rules_.is_test(last.action);
    missed_[node] = missed_[parent] != 0 || (!tested && flags_.wanted[parent] != 0) ? 1 : 0;
    clearly_missed_[node] = clearly_missed_[parent] != 0 || (!tested && clearly_wanted_[parent] != 0) ? 1 : 0;
    flags_.belated[node] = flags_.belated[parent];
    flags_.clearly_belated[node] = flags_.clearly_belated[parent];
    if (!rules_.has_result(structure_, last.step())) return;
    const auto belief = beliefs_.at(node);
    if (*std::max_element(belief.begin(), belief.end()) >= options_.near_certain) {
      flags_.confirmed[node] = 1;
      if (missed_[parent] != 0) flags_.belated[node] = 1;
      if (clearly_missed_[parent] != 0) flags_.clearly_belated[node] = 1;
    }
    flags_.uninformative[node] =
        (structure_.measured() ? did_and_would_not_move(node, last) : cannot_move(parent, last)) ? 1 : 0;
  }

  bool cannot_move(int parent, const HistoryTree::Group& last) {
    const auto before = beliefs_.at(parent);
    const auto passed = transitions_.of(last.step());
    for (const int z : rules_.instead[last.action * structure_.observation_count() + last.observation]) {
      // An outcome that could not have happened moves nothing.
      const Step otherwise{last.action, z, last.gap};
      if (!(update_belief(structure_, agent_.dynamics, otherwise, passed, before, next_) > 0.0)) continue;
      if (belief_distance(before, next_) >= flags_.least_move) return false;
    }
    return true;
  }

  // Of numbers that were measured: neither by these nor, but for a seldom share, by those that could have
  // come.
  bool did_and_would_not_move(int node, const HistoryTree::Group& last) {
    const auto before = beliefs_.at(tree_.parent[node]);
    if (belief_distance(before, beliefs_.at(node)) >= flags_.least_move) return false;
    return measured_.share_moved(before, last.step(), flags_.least_move, kSeldom) <= kSeldom;
  }

  const HistoryTree& tree_;
  const Structure& structure_;
  const Parameters& agent_;
  const AuditRules& rules_;
  const AuditOptions& options_;
  inference::NodeBeliefs beliefs_;
  MeasuredTests measured_;
  model::StepTransitions transitions_;
  std::vector<char> missed_;  // [node]: a test was wanted and left out on the way here
  std::vector<char> clearly_missed_, clearly_wanted_;
  std::vector<double> next_, logs_;
  NodeFlags flags_;
};

}  // namespace

NodeFlags node_flags(const HistoryTree& tree, const Structure& structure, const Parameters& agent,
                     const AuditRules& rules, const AuditOptions& options, bool with_signs) {
  return FlagWalk(tree, structure, agent, rules, options).run(with_signs);
}

namespace {

// What one thread counts. Sums and bits do not depend on who counted what.
struct FlagCounts {
  explicit FlagCounts(std::size_t nodes)
      : belated(nodes, 0.0F), uninformative(nodes, 0.0F), belated_in(nodes, 0), uninformative_in(nodes, 0) {}

  // `bit`: of a draw that is imputed; negative, it is not.
  void add(const NodeFlags& flags, int bit) {
    for (std::size_t n = 0; n < belated.size(); ++n) {
      belated[n] += flags.clearly_belated[n];
      uninformative[n] += flags.uninformative[n];
    }
    if (bit < 0) return;
    for (std::size_t n = 0; n < belated.size(); ++n) {
      belated_in[n] |= static_cast<std::uint32_t>(flags.belated[n]) << bit;
      uninformative_in[n] |= static_cast<std::uint32_t>(flags.uninformative[n]) << bit;
    }
  }

  // What each rank counted, added up on all: whole numbers, in any order the same.
  void add_other_ranks(base::Ranks& ranks) {
    if (ranks.size() == 1) return;
    const auto bytes = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()),
                              values.size() * sizeof(values[0]));
    };
    std::string own;
    own.append(bytes(belated))
        .append(bytes(uninformative))
        .append(bytes(belated_in))
        .append(bytes(uninformative_in));
    const auto texts = ranks.gather(own);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      if (rank == ranks.rank()) continue;
      const char* at = texts[rank].data();
      const auto each = [&](auto& values, const auto& join) {
        for (auto& value : values) {
          auto other = value;
          std::memcpy(&other, at, sizeof(other));
          at += sizeof(other);
          join(value, other);
        }
      };
      const auto sum = [](float& x, float y) { x += y; };
      const auto either = [](std::uint32_t& x, std::uint32_t y) { x |= y; };
      each(belated, sum);
      each(uninformative, sum);
      each(belated_in, either);
      each(uninformative_in, either);
    }
  }

  std::vector<float> belated, uninformative;
  std::vector<std::uint32_t> belated_in, uninformative_in;
};

// Draws that call a recorded outcome impossible say nothing: the others, as they are listed.
std::vector<std::size_t> usable_draws(const HistoryTree& tree, const Structure& structure,
                                      const std::vector<AgentWorld>& draws, const AuditOptions& options) {
  const std::size_t used = std::min<std::size_t>(draws.size(), options.draws);
  std::vector<char> good(used, 0);
  base::parallel_tasks(static_cast<int>(used), options.threads, [&](int i) {
    const Dynamics& dynamics = draws[i * draws.size() / used].agent.dynamics;
    good[i] = inference::node_beliefs(tree, structure, dynamics).impossible ? 0 : 1;
  });
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < used; ++i) {
    if (good[i] != 0) places.push_back(i * draws.size() / used);
  }
  return places;
}

}  // namespace

FlagProbabilities flag_probabilities(const HistoryTree& tree, const Structure& structure,
                                     const std::vector<AgentWorld>& draws, const AuditRules& rules,
                                     const AuditOptions& options) {
  FlagProbabilities result;
  const std::vector<std::size_t> places = usable_draws(tree, structure, draws, options);
  result.draws = static_cast<int>(places.size());
  if (places.empty()) return result;
  result.imputed = std::min(kImputations, result.draws);
  const int tasks = std::min(base::resolve_threads(options.threads), result.draws);
  base::Ranks& ranks = base::ranks();  // each takes every so-manieth draw
  const int first_draw = ranks.rank();
  const int step = ranks.size();
  const std::size_t nodes = tree.parent.size();
  std::vector<FlagCounts> counts(tasks, FlagCounts(nodes));
  base::parallel_tasks(tasks, options.threads, [&](int task) {
    for (int i = first_draw + task * step; i < result.draws; i += tasks * step) {
      // The bits are those of draws 0, n/K, 2n/K, …
      const int bit = i * result.imputed / result.draws;
      const bool first = i == 0 || (i - 1) * result.imputed / result.draws != bit;
      counts[task].add(node_flags(tree, structure, draws[places[i]].agent, rules, options), first ? bit : -1);
    }
  });
  for (int task = 1; task < tasks; ++task) {
    for (std::size_t n = 0; n < nodes; ++n) {
      counts[0].belated[n] += counts[task].belated[n];
      counts[0].uninformative[n] += counts[task].uninformative[n];
      counts[0].belated_in[n] |= counts[task].belated_in[n];
      counts[0].uninformative_in[n] |= counts[task].uninformative_in[n];
    }
  }
  counts[0].add_other_ranks(ranks);
  for (float& p : counts[0].belated) p /= static_cast<float>(result.draws);
  for (float& p : counts[0].uninformative) p /= static_cast<float>(result.draws);
  result.belated = std::move(counts[0].belated);
  result.uninformative = std::move(counts[0].uninformative);
  result.belated_in = std::move(counts[0].belated_in);
  result.uninformative_in = std::move(counts[0].uninformative_in);
  return result;
}

}  // namespace interpole::explain
