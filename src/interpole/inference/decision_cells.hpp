// The decisions of a data set by history and context: what a policy with terms is evaluated on. Beliefs are
// still computed once per history; where records are told apart by covariates, the decisions at one history
// are in several cells.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/belief.hpp"
#include "interpole/history_tree.hpp"

namespace interpole::inference {

struct DecisionCells {
  std::vector<DecisionContext> contexts;  // those that occur; they point into the tree
  // One cell for each pair of history and context at which decisions were taken.
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> context;
  std::vector<double> counts;  // [cell·A + a]

  int size() const { return static_cast<int>(node.size()); }
};

// Keeps references into the tree. Cells are in the order of nodes.
DecisionCells decision_cells(const HistoryTree& tree);

// The context of the decisions at every history. Covariates are known where classes of records are apart;
// they point into the tree.
std::vector<DecisionContext> node_contexts(const HistoryTree& tree);

// What the terms of a policy make of every context (and, in the same struct, derivatives by these numbers):
// π'(a) = keep·softmax(scores + offset)(a) + floor(a).
struct ContextTables {
  std::vector<double> offset;  // [context·A + a]
  std::vector<double> floor;   // [context·A + a]
  std::vector<double> keep;    // [context]

  void reset(std::size_t contexts, std::size_t actions);
};

void fill_tables(const DecisionCells& cells, int actions, const PolicyTerms& terms, ContextTables& tables);

// gradient += (∂ tables/∂ terms)ᵀ derivatives; `gradient` has the same terms.
void pull_back_tables(const DecisionCells& cells, int actions, const PolicyTerms& terms,
                      const ContextTables& derivatives, PolicyTerms& gradient);

}  // namespace interpole::inference
