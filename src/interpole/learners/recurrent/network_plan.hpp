// A history tree in the order in which a recurrent network walks it: level by level, the children of one
// history side by side. Histories that have children ("inner") are numbered a second time: what their hidden
// state contributes to the next step is the same for all children and is computed once.
#pragma once

#include <vector>

#include "interpole/history_tree.hpp"

namespace interpole::learners {

struct NetworkPlan {
  // Rows are histories; the first are the empty ones, one unless classes of records are apart.
  int roots = 1;
  std::vector<int> node;     // [row] in the tree
  std::vector<int> parent;   // [row] inner number of the parent; −1 for the empty history
  std::vector<int> action;   // [row] the last action; −1 for the empty history
  std::vector<int> outcome;  // [row] what it yielded; kMissing
  std::vector<int> inner;    // [row] its own inner number; −1 without children

  std::vector<int> row_of_inner;  // [inner]
  std::vector<int> first_child;   // [inner] rows first_child[i] … first_child[i+1] − 1; one entry more
  std::vector<int> level_begin;   // [depth] first inner number of that depth; one entry more

  int rows() const { return static_cast<int>(node.size()); }
  int inners() const { return static_cast<int>(row_of_inner.size()); }
  int levels() const { return static_cast<int>(level_begin.size()) - 1; }
};

// With `deciding_only`, histories after which nothing was decided are left out; nobody is below them.
NetworkPlan plan_network(const HistoryTree& tree, bool deciding_only);

}  // namespace interpole::learners
