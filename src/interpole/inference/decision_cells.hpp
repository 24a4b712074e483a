// The decisions of a data set by history and context: what a policy with terms is evaluated on. Beliefs are
// still computed once per history; where records are told apart by covariates, the decisions at one history
// are in several cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/belief.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::inference {

struct DecisionCells {
  std::vector<DecisionContext> contexts;  // those that occur; they point into the tree
  // One cell for each pair of history and context at which decisions were taken.
  std::vector<std::int32_t> node;
  std::vector<std::int32_t> context;
  std::vector<std::int32_t> record_class;  // 0 where records are not told apart
  std::vector<double> counts;              // [cell·A + a]

  int size() const { return static_cast<int>(node.size()); }
};

// Keeps references into the tree. Cells are in the order of nodes.
DecisionCells decision_cells(const HistoryTree& tree);
// The same with records told apart by these covariates alone: what a policy does not follow need not be
// counted apart. The class of a cell is the first of those that are alike.
DecisionCells decision_cells(const HistoryTree& tree, const std::vector<int>& covariates);

// The context of the decisions at every history. Covariates are known where classes of records are apart;
// they point into the tree.
std::vector<DecisionContext> node_contexts(const HistoryTree& tree);
// The same with how likely each kind of decision-maker is there, if there are several. Contexts point into
// `kinds`, which is overwritten: [node·kinds + k].
std::vector<DecisionContext> node_contexts(const HistoryTree& tree, const Structure& structure,
                                           const Policy& policy, const NodeBeliefs& beliefs,
                                           std::vector<double>& kinds);

// What the terms of a policy make of every context (and, in the same struct, derivatives by these numbers):
// π'(a) = keep·softmax(scores + offset)(a) + floor(a).
struct ContextTables {
  std::vector<double> offset;  // [context·A + a]
  std::vector<double> floor;   // [context·A + a]
  std::vector<double> keep;    // [context]

  void reset(std::size_t contexts, std::size_t actions);
};

// At which of its weights each additive term is in each context. It depends on which terms there are, not on
// their numbers, so that it is looked up once for many evaluations.
class ContextLevels {
 public:
  // Made anew if these are not the terms it was made for.
  void match(const DecisionCells& cells, int actions, const PolicyTerms& terms);

  struct Level {
    std::int32_t first_weight = -1;  // of A weights; −1: the term says nothing here
    double value = 0.0;
  };
  // One for each additive term.
  std::span<const Level> at(std::size_t context) const {
    return std::span(levels_).subspan(context * made_for_.additive.size(), made_for_.additive.size());
  }

 private:
  const DecisionCells* cells_ = nullptr;
  PolicyTerms made_for_;  // numbers are of no meaning
  std::vector<Level> levels_;
};

void fill_tables(const DecisionCells& cells, const ContextLevels& levels, int actions,
                 const PolicyTerms& terms, ContextTables& tables);

// gradient += (∂ tables/∂ terms)ᵀ derivatives; `gradient` has the same terms.
void pull_back_tables(const DecisionCells& cells, const ContextLevels& levels, int actions,
                      const ContextTables& derivatives, PolicyTerms& gradient);

}  // namespace interpole::inference
