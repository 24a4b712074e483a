// Where something is drawn from a few categories again and again: at every history one of the actions, after
// every action one of the results. A model gives each category a probability there that owes nothing to what
// comes later, so that along records counts less their expectations add up to zero on average, and their
// variances add.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/belief.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::explain {

struct CategorySites {
  int categories = 0;
  std::vector<double> counts;  // [site·categories + c]
  std::vector<double> totals;  // [site]

  std::size_t size() const { return totals.size(); }
};

// The decisions, by history and class of records (together in a tree, or apart).
struct DecisionSites : CategorySites {
  std::vector<std::int32_t> node;         // [site], ascending
  std::vector<DecisionContext> contexts;  // [site]; they point into the tree
  std::vector<std::int32_t> before;       // [site]: where the same records decided last; −1: nowhere
  // [site·categories + a]: of the records that took action a, their places from the first (−½) to the last
  // (½), added and squared. Empty: the order is not known.
  std::vector<double> place_sums, place_squares;
};
DecisionSites decision_sites(const HistoryTree& tree);

// π(a|b, c) at every site. Of several kinds of decision-makers, the average by how likely each is after what
// the same records did before.
std::vector<double> policies_at(const DecisionSites& sites, const Structure& structure,
                                const Parameters& agent, const inference::NodeBeliefs& beliefs);

}  // namespace interpole::explain
