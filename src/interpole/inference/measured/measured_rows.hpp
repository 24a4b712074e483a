// Measured outcomes as the kernels see them: a row of S weights for each distinct pair of action and outcome,
// Π_f p_f(z_f|a,s') divided by its largest entry. The belief update into a node multiplies what T brings by
// its row; nothing else of a factor's family enters the kernels (docs/mathematics/measured-factors.md).
//
// Recorded values repeat, so densities are evaluated once for each distinct value of a factor, and a row is
// put together from these.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

class MeasuredRows {
 public:
  // Keeps a reference to the tree. Of a structure that is not measured there are no rows.
  MeasuredRows(const HistoryTree& tree, const Structure& structure);

  bool any() const { return size_ > 0; }
  std::size_t size() const { return size_; }
  // Of the nodes of a group of the tree. Row 0 is that of outcomes without any value: all weights 1.
  std::int32_t row_of_group(std::size_t group) const { return row_of_group_[group]; }
  // Records that pass through nodes of each row.
  const std::vector<double>& passes() const { return passes_; }

  struct Memory {
    std::vector<double> weights;      // [row·S + s]
    std::vector<double> log_scale;    // [row]: what the weights were divided by
    std::vector<double> d_log;        // [row·S + s]: ∂/∂ log weight
    std::vector<double> densities;    // [(first value of (a, f) + v)·S + s]: log p_f
    std::vector<double> d_densities;  // the same layout
  };
  // Fills weights and log_scale; sets d_log to 0.
  void fill(const Dynamics& dynamics, Memory& memory) const;
  // gradient.observation += what d_log means for the factors' parameters.
  void pull_back(const Dynamics& dynamics, Memory& memory, Dynamics& gradient) const;

 private:
  // The values of a factor after an action.
  struct Values {
    int action = 0;
    int factor = 0;
    std::size_t first = 0;  // of its densities
    std::vector<double> values;
  };

  const Structure structure_;
  std::size_t size_ = 0;
  std::vector<int> offsets_;
  std::vector<std::int32_t> row_of_group_;
  std::vector<double> passes_;
  std::vector<Values> values_;
  std::vector<std::size_t> part_begin_;  // [row]: of its parts
  std::vector<std::int32_t> parts_;      // which densities make the row, one for each factor that has a value
  std::size_t densities_ = 0;
};

}  // namespace interpole::inference
