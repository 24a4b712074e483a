// Kinds of decision-makers: whoever takes the decisions of a record is of one kind, so that they have the
// probability Σ_k share_k Π_t π_k(a_t|b_t). Sums of log π_k run down the paths of the tree; at the ends of
// records they are mixed; how likely each kind is there runs up again, and says of every decision how much of
// it each kind has taken. With these weights held, the gradient is that of Σ_k Σ weight·log π_k (Fisher's
// identity, docs/mathematics/kinds.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/inference/decision_cells.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

// How the decision cells of a tree follow one another. An entry is a cell and an action: cell·A + a.
struct KindPaths {
  std::vector<std::int64_t> before;        // [cell]: the entry it comes after; −1: none
  std::vector<double> ends;                // [entry]: records whose last decision it is
  std::vector<std::int32_t> record_class;  // [cell]; 0 where records are not told apart
};

KindPaths kind_paths(const HistoryTree& tree, const DecisionCells& cells);

// Who decides, by class of records: those with the same number are one. −1: each record by itself. Empty
// where all records are by themselves.
std::vector<std::int32_t> decision_makers(const HistoryTree& tree, int covariate);

// Scratch memory; [k] is the kind, 0 the commonest.
struct KindSums {
  std::vector<std::vector<double>> log_chance;  // [k][entry]: log π_k, to be filled by the caller
  std::vector<std::vector<double>> before;      // [k][cell]: sum along the path
  std::vector<std::vector<double>> weight;      // [k][entry]: decisions taken by this kind, on average
  std::vector<double> taken_by;                 // [k]: records (or decision-makers), on average

  void reset(int kinds, std::size_t cells, std::size_t actions);
};

// The log-probability of all decisions, given log_chance; fills the rest of `sums`.
double mix_kinds(const KindPaths& paths, std::span<const std::int32_t> makers, std::size_t actions,
                 std::span<const double> shares, KindSums& sums);

}  // namespace interpole::inference
