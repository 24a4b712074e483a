// The history tree laid out for the vector kernel.
//
// The tree is cut into a trunk (the few histories under which most of the data lie) and shards (whole
// subtrees, packed to similar size). Shards need nothing of each other: forward and reverse pass of a shard
// run on one thread without waiting, and one parallel region per evaluation is enough. The cut depends on the
// data only, never on the number of threads, so neither do the results.
//
// Within a shard, groups begin at multiples of kLanes and are filled up with padding nodes, so that the
// kernel needs no tails and no masks. A padding node has no counts and hangs on a "null" node of its own lane
// whose belief is uniform. Arrays with n numbers per node go by blocks of kLanes nodes: the first number of
// each, then the second of each, …; a block is read front to back, and no stride is a power of two that would
// crowd one part of the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/base/aligned.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/inference/measured/measured_rows.hpp"

namespace interpole::inference {

inline constexpr int kLanes = 8;  // doubles in the widest vector we run on

// Where the numbers of a local node begin in an array of `rows` numbers per node.
inline std::int64_t block_offset(std::int64_t at, int rows) {
  return at / kLanes * kLanes * rows + at % kLanes;
}

// … and where number i of them is.
inline std::size_t block_place(std::int64_t at, int rows, int i) {
  return static_cast<std::size_t>(block_offset(at, rows)) + static_cast<std::size_t>(i) * kLanes;
}

struct Shard {
  struct Group {
    std::int32_t slot = 0;   // which of the shard's matrices is its M_{a,z}
    std::int32_t begin = 0;  // local nodes [begin, end), multiples of kLanes
    std::int32_t end = 0;
    bool has_decisions = false;  // any action was taken at any of these histories
    // Below the root of an unshared tree, or where outcomes are measured: adjoints need one-by-one addition.
    bool parents_repeat = false;
  };
  std::int32_t size = 0;               // local nodes: imported, null, own; a multiple of kLanes
  std::int32_t null_begin = 0;         // kLanes null nodes
  std::vector<std::int32_t> imported;  // trunk's local index of local node i < imported.size()
  std::vector<Group> groups;           // own nodes
  std::vector<std::size_t> matrices;   // [slot]: where the matrices that occur here begin among all
  base::AlignedVector<std::int64_t>
      parent_offset;  // [local]: where the parent's first belief is; the next is kLanes further
  base::AlignedVector<double> passes;     // [local]
  base::AlignedVector<double> counts;     // A numbers per node, in blocks
  base::AlignedVector<double> decisions;  // [local] Σ_a counts
  std::vector<std::int32_t> tree_node;    // [local]; −1 for null and padding nodes
  // Of measured outcomes.
  MeasuredRows rows;                             // those that occur here
  base::AlignedVector<std::int64_t> row_offset;  // [local]: where its weights are
};

struct TreeLayout {
  Shard trunk;  // its first own group are the roots (no matrix, their beliefs are given)
  std::vector<Shard> shards;
  int root_count = 1;
};

class StepMatrices;
// Where outcomes are measured, nodes of one depth, action and gap are one group, whatever was measured.
TreeLayout make_tree_layout(const HistoryTree& tree, const Structure& structure,
                            const StepMatrices& matrices);

// Scratch of one shard.
struct ShardMemory {
  base::AlignedVector<double> belief, adjoint;     // S numbers per node, in blocks
  base::AlignedVector<double> inverse_normaliser;  // [local]
  base::AlignedVector<double> d_matrix_lanes;  // [(slot·S² + s'·S + s)·kLanes]: ∂/∂M, summed lane by lane
  base::AlignedVector<double>
      policy_lanes;  // [(a·(S+1) + k)·kLanes]: residual, then residual·belief by state
  // Of policies with terms, by cell and in blocks: A residuals; n/π' of every action and Σ π n/π'. With kinds
  // of decision-makers, and so for policy_lanes: one kind after another.
  base::AlignedVector<double> residual, ratio;
  // Of one kind, A numbers per cell, in blocks: log π', and the decisions that are its.
  base::AlignedVector<double> log_chance, weight;
  // Of measured outcomes: ∂/∂ log weight, S numbers per node, in blocks; and by row.
  base::AlignedVector<double> d_log_weight;
  MeasuredRows::Memory measured;
  double actions = 0.0;
  double observations = 0.0;
  double smallest_normaliser = 1.0;
};

}  // namespace interpole::inference
