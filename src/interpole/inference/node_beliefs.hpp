// What a model believes, and would do, at every history of a data set: the plain belief update from node to
// node.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

struct NodeBeliefs {
  std::size_t states = 0;
  std::vector<double> beliefs;              // [node·S + s]: belief before the decisions taken at that node
  std::vector<double> outcome_probability;  // [node]: of the last outcome of its history; 1 at the root
  // The first node whose last outcome has probability zero. It and all nodes after it are left at zero.
  std::optional<int> impossible;

  std::span<const double> at(int node) const { return {&beliefs[node * states], states}; }
};

// Throws an input error if the tree counts other actions than the structure has.
NodeBeliefs node_beliefs(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics);

}  // namespace interpole::inference
