// The decision cells laid out for the vector kernel, shard by shard as the tree is (tree_layout.hpp).
//
// Cells that are computed together must be of different histories, because each adds to its history's
// adjoint. The first cell of every history comes first, then the second of those that have one, and so on;
// what is left in rounds of less than a vector is packed and added one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/base/aligned.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/layout/tree_layout.hpp"

namespace interpole::inference {

struct ShardCells {
  std::int32_t size = 0;  // a multiple of kLanes; padding cells have no counts and lead to null nodes
  std::int32_t repeating_from = 0;            // from here on a vector may hold several cells of one history
  base::AlignedVector<std::int64_t> belief;   // [cell]: where the history's first belief is
  base::AlignedVector<std::int64_t> context;  // [cell]
  base::AlignedVector<std::int64_t> row;      // [cell]: context·A, where its row of a table begins
  base::AlignedVector<double> counts;         // A numbers per cell, in blocks
  std::vector<std::int32_t> cell;             // [cell]: its index among all; −1: padding
  std::vector<std::int32_t> contexts;         // those that occur here, ascending …
  std::vector<std::int32_t> context_here;     // … and [cell]: where its own is among them
};

struct CellLayout {
  ShardCells trunk;
  std::vector<ShardCells> shards;
};

CellLayout make_cell_layout(const DecisionCells& cells, const TreeLayout& layout, const Structure& structure);

}  // namespace interpole::inference
