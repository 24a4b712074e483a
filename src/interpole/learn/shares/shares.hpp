// How much of the predictability of decisions the ingredients of an explanation account for: belief, a
// distorted picture of the world, habit, time, context, group, kinds of decision-makers.
//
// A set of ingredients is worth the log-likelihood of decisions in records that its fit did not see, over
// what is foreseen from how often each action is taken alone: two halves of the records, each scored by the
// fit of the other. The whole explanation is fitted to a half first. Then the policy of every set is fitted
// anew, with beliefs as the whole explanation has them: by the agent's dynamics with a distorted picture, by
// the world's without, and never moving without belief. So beliefs cannot take over what was left out. The
// share of an ingredient is what it adds, averaged over all orders in which ingredients can be added
// (Shapley).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/learn/posterior/coupling.hpp"
#include "interpole/optimize/lbfgs.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learn {

struct IngredientShare {
  // belief, distorted picture, habit (both forms), time, context, group, kinds (of decision-makers), other
  // (lapses, results that are missing)
  std::string name;
  double nats = 0.0;  // a decision
};

struct Shares {
  std::vector<IngredientShare> parts;  // they sum to `gained`
  double gained = 0.0;                 // nats a decision, of the whole explanation
  double frequencies = 0.0;            // log-loss of the frequencies of actions alone
  int fits = 0;
};

// An explanation that was fitted, with agent and world apart.
struct WholeExplanation {
  const DecisionProblem& problem;  // its terms are to be learned
  const AgentWorld& at;
  CouplingScales scales;
};

// `halves`: of the records, classes together. Cost: two searches for a policy for each set of ingredients, of
// which there are 3/4 · 2ⁿ for n ≤ 8 ingredients. The same for any number of threads. Throws
// Error(kInterrupted) if asked to stop.
Shares shares_of(const std::array<HistoryTree, 2>& halves, const WholeExplanation& whole,
                 const optimize::LbfgsOptions& options, int threads, Sink& sink = quiet_sink());

// The average over all orders of what player i adds: worth[set], sets as bits.
std::vector<double> averages_over_orders(const std::vector<double>& worth, int players);

}  // namespace interpole::learn
