// The exact log-likelihood of a data set and its gradient, on the history tree.
//
//   actions       Σ_nodes Σ_a n_a log π(a|b)   n_a: how often a was chosen at this history,
//                                              b: the belief there
//   observations  Σ_nodes passes · log c       passes: records whose history begins so,
//                                              c: the normaliser of the belief update into it
//
// Roots of the tree start with the belief of their covariates, where dynamics say how it differs with them.
// Measured outcomes: c is a density, and weights by state take the place of O (measured_rows.hpp).
// A policy with terms (parameters.hpp) is evaluated on decisions by history and context (decision_cells.hpp).
//
// One forward pass gives beliefs and value, one reverse pass (the adjoint of the normalised update) the
// derivative by every entry of b1, T, O, η, μ. Cost O(nodes · (S² + A·S)). Derivation:
// docs/mathematics/likelihood.md.
//
// Entries are treated as free numbers: the gradient is that of the formulas above without the sum-to-one
// constraints (ParameterSpace::pull_back projects it).
#pragma once

#include <memory>
#include <optional>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

enum class Kernel { kPlain, kVector };

// Which terms of the log-likelihood are wanted. The paper's objective has both; an agent's own dynamics
// answer for the actions alone, the world's for the observations alone.
struct LikelihoodTerms {
  bool actions = true;
  bool observations = true;
};

struct LikelihoodValue {
  double actions = 0.0;
  double observations = 0.0;
  // Set if the parameters call an outcome of the data impossible: the first node (in tree order) reached by
  // it. The values are then meaningless and the gradient is zero.
  std::optional<int> impossible_node;

  double total() const { return actions + observations; }
};

// Several ranks evaluate trees from this size on together; below it each does all of it.
inline constexpr int kSmallestWorthSharing = 65'536;  // nodes
bool worth_sharing(const HistoryTree& tree);

class MeasuredRows;
class StepMatrices;
struct TreeLayout;
class LikelihoodWorkspace;

class Likelihood {
 public:
  // Keeps a reference to the tree. Results do not depend on `threads` (0: all cores), bit for bit. Nor do
  // they on the ranks (base/ranks) that the thread has which evaluates: shards of a tree worth sharing are
  // dealt to them, except for policies of several kinds of decision-makers.
  Likelihood(const HistoryTree& tree, const Structure& structure, Kernel kernel = Kernel::kVector,
             int threads = 1);
  ~Likelihood();
  Likelihood(Likelihood&&) noexcept;

  // Scratch memory for one caller at a time; evaluations with it allocate nothing.
  LikelihoodWorkspace make_workspace() const;

  // gradient (if not null) is overwritten with the derivative of the sum of the wanted terms.
  LikelihoodValue evaluate(const Parameters& parameters, LikelihoodTerms terms, Parameters* gradient,
                           LikelihoodWorkspace& workspace) const;

  const HistoryTree& tree() const { return *tree_; }
  const Structure& structure() const { return structure_; }

 private:
  const HistoryTree* tree_;
  Structure structure_;
  Kernel kernel_;
  int threads_;
  std::unique_ptr<StepMatrices> matrices_;
  std::unique_ptr<MeasuredRows> rows_;  // of the plain kernel
  std::unique_ptr<TreeLayout> layout_;
  class Contexts;
  std::unique_ptr<Contexts> contexts_;  // of decisions, for policies with terms
};

class LikelihoodWorkspace {
 public:
  struct Memory;
  explicit LikelihoodWorkspace(std::unique_ptr<Memory> memory);
  ~LikelihoodWorkspace();
  LikelihoodWorkspace(LikelihoodWorkspace&&) noexcept;
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

}  // namespace interpole::inference
