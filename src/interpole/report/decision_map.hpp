// Figure 1: which action is the likeliest at which belief, and where the data's decisions lie. A line for two
// states, a triangle for three, a table for any other number.
#pragma once

#include "interpole/data/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/report/markup.hpp"

namespace interpole {

struct MapInput {
  const Model& model;
  const HistoryTree& tree;
  const NodeBeliefs& beliefs;  // of the tree's histories under the model's agent
  int min_cell;                // counts below it are withheld
};

Markup decision_map(const MapInput& input);

// The three kinds, each in a file of its own.
Markup decision_line(const MapInput& input);
Markup decision_triangle(const MapInput& input);
Markup decision_table(const MapInput& input);

// Decisions in each of `cells` parts of the belief space; `cell_of` says in which part a belief lies.
// Histories after an outcome the model calls impossible have no belief and are not counted.
template <class CellOf>
std::vector<std::int64_t> decisions_by_cell(const MapInput& input, int cells, const CellOf& cell_of) {
  std::vector<std::int64_t> counts(cells, 0);
  const int known = input.beliefs.impossible.value_or(input.tree.node_count());
  for (int node = 0; node < known; ++node) {
    const std::int64_t decisions = input.tree.decisions_at(node);
    if (decisions > 0) counts[cell_of(input.beliefs.at(node))] += decisions;
  }
  return counts;
}

// How often each action was taken, as text, with small counts withheld.
std::vector<std::string> action_count_texts(const MapInput& input);

// A sentence on histories left out because of an impossible outcome; empty if there are none.
std::string left_out_sentence(const MapInput& input);

}  // namespace interpole
