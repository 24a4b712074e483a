#include "interpole/inference/shard_sums.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::inference {
namespace {

double sum_of_lanes(const double*& lanes) {
  double sum = 0.0;
  for (int lane = 0; lane < kLanes; ++lane) sum += *lanes++;
  return sum;
}

void put_cells(const ShardCells& cells, const ShardMemory& memory, const SumSizes& sizes, int kind,
               std::span<double> sums) {
  const auto actions = static_cast<std::size_t>(sizes.actions);
  const auto before = static_cast<std::size_t>(cells.size) * kind;  // cells of other kinds
  std::ranges::fill(sums, 0.0);
  for (std::int32_t i = 0; i < cells.size; ++i) {
    double* own = sums.data() + static_cast<std::ptrdiff_t>(cells.context_here[i]) * sizes.per_context();
    const double* residual = &memory.residual[before * actions + block_offset(i, sizes.actions)];
    for (std::size_t a = 0; a < actions; ++a) own[a] += residual[a * kLanes];
    if (!sizes.mixed) continue;
    const double* ratio = &memory.ratio[before * (actions + 1) + block_offset(i, sizes.actions + 1)];
    for (std::size_t a = 0; a <= actions; ++a) own[actions + a] += ratio[a * kLanes];
  }
}

}  // namespace

int first_impossible(const Shard& shard, int roots, const ShardMemory& memory) {
  int first = -1;
  for (int i = shard.null_begin + kLanes; i < shard.size; ++i) {
    const int node = shard.tree_node[i];
    if (node < roots || memory.inverse_normaliser[i] < INFINITY) continue;
    if (first < 0 || node < first) first = node;
  }
  return first;
}

void put_values(const Shard& shard, int roots, const ShardMemory& memory, std::span<double> row) {
  row[0] = memory.actions;
  row[1] = memory.observations;
  row[2] = memory.smallest_normaliser;
  row[3] = memory.smallest_normaliser > 0.0 ? -1.0 : first_impossible(shard, roots, memory);
}

// `gradient` += the shard's derivatives by the parameters of factors, from those of its nodes' weights.
void add_log_weights(const Shard& shard, const Dynamics& dynamics, ShardMemory& memory,
                     std::span<double> gradient) {
  const auto S = static_cast<int>(dynamics.initial.size());
  for (const Shard::Group& group : shard.groups) {
    for (std::int32_t at = group.begin; at < group.end; ++at) {
      if (shard.tree_node[at] < 0 || shard.row_offset[at] == 0) continue;
      double* row = &memory.measured.d_log[static_cast<std::size_t>(shard.row_offset[at])];
      for (int s = 0; s < S; ++s) row[s] += memory.d_log_weight[block_place(at, S, s)];
    }
  }
  shard.rows.pull_back(dynamics, memory.measured, gradient);
}

void put_gradient(const Shard& shard, const ShardCells* cells, const Dynamics& dynamics,
                  const SumSizes& sizes, ShardMemory& memory, std::span<double> row) {
  const int S = sizes.states;
  std::size_t at = kValues;
  for (std::size_t i = 0; i < shard.imported.size(); ++i) {
    for (int s = 0; s < S; ++s) row[at++] = memory.adjoint[block_place(static_cast<std::int32_t>(i), S, s)];
  }
  const double* lanes = memory.d_matrix_lanes.data();
  for (int i = 0; i < sizes.matrices(shard); ++i) row[at++] = sum_of_lanes(lanes);
  for (int k = 0; k < sizes.kinds; ++k) {
    lanes = memory.policy_lanes.data() + static_cast<std::size_t>(sizes.scores()) * kLanes * k;
    for (int i = 0; i < sizes.scores(); ++i) row[at++] = sum_of_lanes(lanes);
    if (cells == nullptr) continue;
    put_cells(*cells, memory, sizes, k, row.subspan(at, sizes.contexts(cells)));
    at += sizes.contexts(cells);
  }
  if (sizes.measured == 0) return;
  const auto own = row.subspan(at, sizes.measured);
  std::ranges::fill(own, 0.0);
  add_log_weights(shard, dynamics, memory, own);
}

void add_adjoints(const Shard& shard, const SumSizes& sizes, std::span<const double> row,
                  ShardMemory& trunk) {
  std::size_t at = kValues;
  for (const std::int32_t imported : shard.imported) {
    for (int s = 0; s < sizes.states; ++s) trunk.adjoint[block_place(imported, sizes.states, s)] += row[at++];
  }
}

void add_matrices(const Shard& shard, const SumSizes& sizes, std::span<const double> row,
                  std::vector<double>& d_matrices) {
  std::size_t at = sizes.matrices_at(shard);
  for (const std::size_t matrix : shard.matrices) {
    for (int i = 0; i < sizes.states * sizes.states; ++i) d_matrices[matrix + i] += row[at++];
  }
}

void add_scores(const Shard& shard, const ShardCells* cells, const SumSizes& sizes, int kind,
                std::span<const double> row, PolicySums& sums) {
  std::size_t at = sizes.scores_at(shard, cells, kind);
  for (int a = 0; a < sizes.actions; ++a) {
    sums.residual[a] += row[at++];
    for (int s = 0; s < sizes.states; ++s) sums.residual_belief[a * sizes.states + s] += row[at++];
  }
}

void add_contexts(const Shard& shard, const ShardCells& cells, const SumSizes& sizes, int kind,
                  std::span<const double> row, ContextTables& d_tables) {
  const auto actions = static_cast<std::size_t>(sizes.actions);
  const double* own = row.data() + sizes.contexts_at(shard, &cells, kind);
  for (const std::int32_t context : cells.contexts) {
    for (std::size_t a = 0; a < actions; ++a) d_tables.offset[context * actions + a] += own[a];
    if (sizes.mixed) {
      for (std::size_t a = 0; a < actions; ++a) d_tables.floor[context * actions + a] += own[actions + a];
      d_tables.keep[context] += own[2 * actions];
    }
    own += sizes.per_context();
  }
}

void add_measured(const Shard& shard, const ShardCells* cells, const SumSizes& sizes,
                  std::span<const double> row, std::span<double> gradient) {
  const auto own = row.subspan(sizes.measured_at(shard, cells), sizes.measured);
  for (std::size_t i = 0; i < own.size(); ++i) gradient[i] += own[i];
}

void add_policy_lanes(const ShardMemory& memory, int S, int A, int kind, PolicySums& sums) {
  const double* lanes = memory.policy_lanes.data() + static_cast<std::size_t>(A) * (S + 1) * kLanes * kind;
  for (int a = 0; a < A; ++a) {
    sums.residual[a] += sum_of_lanes(lanes);
    for (int s = 0; s < S; ++s) sums.residual_belief[a * S + s] += sum_of_lanes(lanes);
  }
}

void add_matrix_lanes(const Shard& shard, const ShardMemory& memory, int S, std::vector<double>& d_matrices) {
  const double* lanes = memory.d_matrix_lanes.data();
  for (const std::size_t matrix : shard.matrices) {
    for (int i = 0; i < S * S; ++i) d_matrices[matrix + i] += sum_of_lanes(lanes);
  }
}

void add_cells(const ShardCells& cells, const ShardMemory& memory, int A, bool mixed, int kind,
               ContextTables& d_tables) {
  const auto actions = static_cast<std::size_t>(A);
  const auto before = static_cast<std::size_t>(cells.size) * kind;  // cells of other kinds
  for (std::int32_t i = 0; i < cells.size; ++i) {
    const double* residual = &memory.residual[before * actions + block_offset(i, A)];
    for (std::size_t a = 0; a < actions; ++a) d_tables.offset[cells.row[i] + a] += residual[a * kLanes];
    if (!mixed) continue;
    const double* ratio = &memory.ratio[before * (actions + 1) + block_offset(i, A + 1)];
    for (std::size_t a = 0; a < actions; ++a) d_tables.floor[cells.row[i] + a] += ratio[a * kLanes];
    d_tables.keep[cells.context[i]] += ratio[actions * kLanes];
  }
}

}  // namespace interpole::inference
