// The matrices of belief updates, M = diag(O(z|a,·)) Tᵀ, one for each kind of step that a tree has, and the
// way back from their derivatives. Where visits have times, T_a(Δ) and its derivative are computed once for
// each distinct pair of action and gap (docs/mathematics/time.md). Private to this room.
#pragma once

#include <memory>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/model/time/gap_transition.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

// Of records without times: M_{a,z} for every action and outcome, with one more "outcome" for a missing one
// (O ≡ 1). matrices[(a·(Z+1) + z)·S² + s'·S + s]; z = Z stands for missing. Of measured outcomes T_aᵀ alone:
// their weights are in rows of their own (measured_rows.hpp).
std::size_t matrix_index(const Structure& structure, int action, int observation);
void update_matrices(const Structure& structure, const Dynamics& dynamics, std::vector<double>& matrices);
// Adds ∂/∂T and ∂/∂O given ∂/∂M, by the product rule.
void pull_back_matrices(const Structure& structure, const Dynamics& dynamics,
                        const std::vector<double>& d_matrices, Dynamics& gradient);

// For what takes one visit like another: throws a runtime error if visits have times.
void require_no_times(const Structure& structure, const char* what);

class StepMatrices {
 public:
  StepMatrices(const HistoryTree& tree, const Structure& structure);

  // Where the matrix of a group of the tree begins.
  std::size_t of_group(std::size_t group) const { return of_group_[group]; }

  struct Memory {
    std::vector<double> matrices, d_matrices;
    // Where visits have times.
    std::unique_ptr<model::GapTransition> transition;
    std::vector<double> transitions, d_transitions;  // [pair of action and gap]
  };
  void fill(const Dynamics& dynamics, Memory& memory) const;
  // gradient += what memory.d_matrices mean for T and O.
  void pull_back(const Dynamics& dynamics, Memory& memory, Dynamics& gradient) const;

 private:
  struct Pair {
    int action = 0;
    double gap = 0.0;
  };
  struct Kind {
    std::size_t pair = 0;
    int observation = kMissing;  // of measured outcomes always
  };

  void find_kinds(const HistoryTree& tree);

  const Structure structure_;
  std::vector<std::size_t> of_group_;
  std::vector<Pair> pairs_;  // empty where visits have no times
  std::vector<Kind> kinds_;  // in the order of their matrices
};

}  // namespace interpole::inference
