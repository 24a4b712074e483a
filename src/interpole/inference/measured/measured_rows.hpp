// Measured outcomes as the kernels see them: a row of S weights for each distinct pair of action and outcome,
// Π_f p_f(z_f|a,s') divided by its largest entry. The belief update into a node multiplies what T brings by
// its row; nothing else of a factor's family enters the kernels (docs/mathematics/measured-factors.md).
//
// Recorded values repeat, so densities are evaluated once for each distinct value of a factor, and a row is
// put together from these. The vector kernel has rows for each shard, so that threads and ranks need nothing
// of each other; the plain kernel those of the whole tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/model/measured/density_rows.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

// An outcome that some nodes were reached by, and how many records passed through these.
struct OutcomeUse {
  std::int32_t action = 0;
  std::int32_t observation = kMissing;
  double passes = 0.0;
};
// Of every group of a tree.
std::vector<OutcomeUse> outcome_uses(const HistoryTree& tree);

class MeasuredRows {
 public:
  // No rows: outcomes are not measured, or nobody asks for them.
  MeasuredRows() = default;
  // The rows of these uses; of a structure that is not measured none. Row 0 is that of outcomes without any
  // value: all weights 1.
  MeasuredRows(const Structure& structure, std::span<const OutcomeUse> uses);

  bool any() const { return size_ > 0; }
  std::int32_t row_of(std::size_t use) const { return row_of_[use]; }

  struct Memory {
    std::vector<double> weights;      // [row·S + s]
    std::vector<double> log_scale;    // [row]: what the weights were divided by
    std::vector<double> d_log;        // [row·S + s]: ∂/∂ log weight
    std::vector<double> densities;    // [(first value of (a, f) + v)·S + s]: log p_f
    std::vector<double> d_densities;  // the same layout
  };
  // Fills weights and log_scale; sets d_log to 0. `exponentiate`: e^x of many numbers at once, in place;
  // null: one by one.
  void fill(const Dynamics& dynamics, Memory& memory,
            void (*exponentiate)(std::span<double>) = nullptr) const;
  // What the weights were divided by, in the log-likelihood of the outcomes: Σ passes · log_scale.
  double divided_out(const Memory& memory) const;
  // gradient (as Dynamics::observation) += what d_log means for the factors' parameters.
  void pull_back(const Dynamics& dynamics, Memory& memory, std::span<double> gradient) const;

 private:
  // The values of a factor after an action.
  struct Values {
    int action = 0;
    int factor = 0;
    std::size_t first = 0;  // of its densities
    model::FactorValues of;
  };

  Structure structure_;
  std::size_t size_ = 0;
  std::vector<int> offsets_;
  std::vector<std::int32_t> row_of_;  // [use]
  std::vector<double> passes_;        // [row]: records that pass through its nodes
  std::vector<Values> values_;
  std::vector<std::size_t> part_begin_;  // [row]: of its parts
  std::vector<std::int32_t> parts_;      // which densities make the row, one for each factor that has a value
  std::size_t densities_ = 0;
};

}  // namespace interpole::inference
