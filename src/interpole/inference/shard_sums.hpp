// What is added up of a shard, as a row of numbers that ranks share: values, then derivatives by the beliefs
// it imports, by matrices, by scores of every kind and by the tables of its contexts for every kind, and by
// the parameters of measured factors. A row is written (`put_…`) where the shard was computed and read
// (`add_…`) everywhere, part by part in this order. Private to this room.
#pragma once

#include <span>
#include <vector>

#include "interpole/inference/kernels.hpp"

namespace interpole::inference {

inline constexpr int kValues = 4;  // actions, observations, smallest normaliser, first impossible node or −1

struct SumSizes {
  int states = 0;
  int actions = 0;
  int kinds = 1;
  bool gradient = false;
  bool mixed = false;
  int measured = 0;  // parameters of measured factors

  int adjoints(const Shard& shard) const { return static_cast<int>(shard.imported.size()) * states; }
  int matrices(const Shard& shard) const { return static_cast<int>(shard.matrices.size()) * states * states; }
  int scores() const { return actions * (states + 1); }
  int per_context() const { return mixed ? 2 * actions + 1 : actions; }
  int contexts(const ShardCells* cells) const {
    return cells == nullptr ? 0 : static_cast<int>(cells->contexts.size()) * per_context();
  }
  int all(const Shard& shard, const ShardCells* cells) const {
    if (!gradient) return kValues;
    return kValues + adjoints(shard) + matrices(shard) + kinds * (scores() + contexts(cells)) + measured;
  }
  // Where the parts begin.
  int matrices_at(const Shard& shard) const { return kValues + adjoints(shard); }
  int scores_at(const Shard& shard, const ShardCells* cells, int kind) const {
    return matrices_at(shard) + matrices(shard) + kind * (scores() + contexts(cells));
  }
  int contexts_at(const Shard& shard, const ShardCells* cells, int kind) const {
    return scores_at(shard, cells, kind) + scores();
  }
  int measured_at(const Shard& shard, const ShardCells* cells) const {
    return scores_at(shard, cells, kinds);
  }
};

// The first impossible node of a part, in tree order; −1: none.
int first_impossible(const Shard& shard, int roots, const ShardMemory& memory);

void put_values(const Shard& shard, int roots, const ShardMemory& memory, std::span<double> row);
// After the reverse pass.
void put_gradient(const Shard& shard, const ShardCells* cells, const Dynamics& dynamics,
                  const SumSizes& sizes, ShardMemory& memory, std::span<double> row);

void add_adjoints(const Shard& shard, const SumSizes& sizes, std::span<const double> row, ShardMemory& trunk);
void add_matrices(const Shard& shard, const SumSizes& sizes, std::span<const double> row,
                  std::vector<double>& d_matrices);
void add_scores(const Shard& shard, const ShardCells* cells, const SumSizes& sizes, int kind,
                std::span<const double> row, PolicySums& sums);
void add_contexts(const Shard& shard, const ShardCells& cells, const SumSizes& sizes, int kind,
                  std::span<const double> row, ContextTables& d_tables);
void add_measured(const Shard& shard, const ShardCells* cells, const SumSizes& sizes,
                  std::span<const double> row, std::span<double> gradient);

// Of the trunk, which every rank computes: straight from its memory.
void add_policy_lanes(const ShardMemory& memory, int S, int A, int kind, PolicySums& sums);
void add_matrix_lanes(const Shard& shard, const ShardMemory& memory, int S, std::vector<double>& d_matrices);
void add_log_weights(const Shard& shard, const Dynamics& dynamics, ShardMemory& memory,
                     std::span<double> gradient);
void add_cells(const ShardCells& cells, const ShardMemory& memory, int A, bool mixed, int kind,
               ContextTables& d_tables);

}  // namespace interpole::inference
