// What the kernels share; private to this room.
#pragma once

#include <memory>
#include <vector>

#include "interpole/base/dealing/shared_rows.hpp"
#include "interpole/inference/cell_layout.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/kind_paths.hpp"
#include "interpole/inference/layout/tree_layout.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/inference/measured/measured_rows.hpp"
#include "interpole/inference/steps/step_matrices.hpp"

namespace interpole::inference {

// Sums over decisions from which the gradient by η and μ follows: residual r_a = n_a − n π(a|b).
struct PolicySums {
  std::vector<double> residual;         // [a]        Σ r_a
  std::vector<double> residual_belief;  // [a·S + s]  Σ r_a b(s)
  void reset(const Structure& structure);
};
// Of one kind of decision-makers, 0 being the commonest.
void pull_back_kind(const Structure& structure, const Policy& policy, int kind, const PolicySums& sums,
                    Policy& gradient);
// ∂/∂ share of every other kind; what they leave is the commonest kind's.
void pull_back_shares(const std::vector<double>& taken_by, const std::vector<double>& shares,
                      Policy& gradient);

// Decisions by context, where the policy has terms; null pointers where it has none.
struct ContextJob {
  const DecisionCells* cells = nullptr;
  const CellLayout* layout = nullptr;  // of the vector kernel
  // Where there are several kinds of decision-makers.
  const KindPaths* paths = nullptr;
  std::span<const std::int32_t> makers{};
  bool any() const { return cells != nullptr; }
};

struct LikelihoodWorkspace::Memory {
  StepMatrices::Memory steps;
  PolicySums policy_sums;
  ContextLevels levels;
  KindSums kinds;
  std::vector<double> shares;  // of kinds
  ContextTables tables, d_tables;
  // Plain kernel: node-major.
  MeasuredRows::Memory measured;
  std::vector<double> beliefs, normalisers, adjoints, scratch;
  // Vector kernel: scores of each kind; one block per shard, the trunk first.
  std::vector<std::vector<double>> coefficients;
  std::vector<ShardMemory> shards;
  std::vector<int> sum_lengths;  // [shard]
  base::SharedRows sums;         // of every shard, in numbers that are added up
};

LikelihoodValue evaluate_plain(const HistoryTree& tree, const Structure& structure,
                               const StepMatrices& matrices, const MeasuredRows& rows,
                               const Parameters& parameters, LikelihoodTerms terms, const ContextJob& context,
                               Parameters* gradient, LikelihoodWorkspace::Memory& memory);

LikelihoodValue evaluate_vector(const HistoryTree& tree, const TreeLayout& layout, const Structure& structure,
                                const StepMatrices& matrices, const Parameters& parameters,
                                LikelihoodTerms terms, const ContextJob& context, Parameters* gradient,
                                int threads, LikelihoodWorkspace::Memory& memory);

// The largest problem the vector kernel keeps in registers and on the stack; beyond it the plain kernel takes
// over.
inline constexpr int kMostVectorStates = 32;
inline constexpr int kMostVectorActions = 32;

}  // namespace interpole::inference
