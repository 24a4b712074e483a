#include "interpole/inference/cell_layout.hpp"

#include <algorithm>

namespace interpole::inference {
namespace {

// Cells [first, end) of `cells` are at this history.
struct Range {
  std::int32_t local = 0;  // node
  int first = 0;
  int end = 0;
};

class ShardCellBuilder {
 public:
  ShardCellBuilder(const DecisionCells& cells, const Shard& shard, const Structure& structure)
      : cells_(cells), shard_(shard), states_(structure.state_count()), actions_(structure.action_count()) {}

  ShardCells build(const std::vector<Range>& ranges) {
    std::vector<std::pair<std::int32_t, int>> packed;
    std::size_t rounds = 0;
    for (const Range& range : ranges) rounds = std::max<std::size_t>(rounds, range.end - range.first);
    std::vector<const Range*> left;
    left.reserve(ranges.size());
    for (const Range& range : ranges) left.push_back(&range);
    for (std::size_t round = 0; round < rounds; ++round) {
      std::erase_if(left,
                    [&](const Range* range) { return range->first + static_cast<int>(round) >= range->end; });
      const bool small = round > 0 && left.size() < kLanes;
      for (const Range* range : left) {
        const std::pair<std::int32_t, int> cell(range->local, range->first + static_cast<int>(round));
        small ? packed.push_back(cell) : place(cell);
      }
      if (!small) pad();
    }
    result_.repeating_from = result_.size;
    for (const auto& cell : packed) place(cell);
    pad();
    list_contexts();
    return std::move(result_);
  }

 private:
  void grow() {
    result_.belief.resize(result_.size + kLanes);
    result_.context.resize(result_.size + kLanes);
    result_.row.resize(result_.size + kLanes);
    result_.cell.resize(result_.size + kLanes, -1);
    result_.counts.resize(static_cast<std::size_t>(result_.size + kLanes) * actions_);
    for (int lane = 0; lane < kLanes; ++lane) {
      result_.belief[result_.size + lane] = block_offset(shard_.null_begin + lane, states_);
      result_.context[result_.size + lane] = result_.row[result_.size + lane] = 0;
    }
    std::fill_n(&result_.counts[static_cast<std::size_t>(result_.size) * actions_], kLanes * actions_, 0.0);
    result_.size += kLanes;
  }

  void place(std::pair<std::int32_t, int> cell) {
    if (next_ == result_.size) grow();
    result_.belief[next_] = block_offset(cell.first, states_);
    result_.context[next_] = cells_.context[cell.second];
    result_.cell[next_] = cell.second;
    result_.row[next_] = result_.context[next_] * actions_;
    for (int a = 0; a < actions_; ++a) {
      result_.counts[block_offset(next_, actions_) + static_cast<std::int64_t>(a) * kLanes] =
          cells_.counts[static_cast<std::size_t>(cell.second) * actions_ + a];
    }
    ++next_;
  }

  void pad() { next_ = result_.size; }

  void list_contexts() {
    result_.contexts.assign(result_.context.begin(), result_.context.end());
    std::ranges::sort(result_.contexts);
    result_.contexts.erase(std::unique(result_.contexts.begin(), result_.contexts.end()),
                           result_.contexts.end());
    for (const std::int64_t context : result_.context) {
      const auto at = std::ranges::lower_bound(result_.contexts, static_cast<std::int32_t>(context));
      result_.context_here.push_back(static_cast<std::int32_t>(at - result_.contexts.begin()));
    }
  }

  const DecisionCells& cells_;
  const Shard& shard_;
  int states_, actions_;
  ShardCells result_;
  std::int32_t next_ = 0;
};

}  // namespace

CellLayout make_cell_layout(const DecisionCells& cells, const TreeLayout& layout,
                            const Structure& structure) {
  int nodes = 1;
  for (const std::int32_t node : cells.node) nodes = std::max(nodes, node + 1);
  std::vector<std::pair<int, int>> of_node(nodes, {0, 0});
  for (int i = 0; i < cells.size(); ++i) {
    auto& [first, end] = of_node[cells.node[i]];
    if (end == 0) first = i;
    end = i + 1;
  }
  const auto build = [&](const Shard& shard) {
    std::vector<Range> ranges;
    for (std::int32_t at = 0; at < shard.size; ++at) {
      const std::int32_t node = shard.tree_node[at];
      if (node < 0 || node >= nodes || of_node[node].second == 0) continue;
      ranges.push_back({at, of_node[node].first, of_node[node].second});
    }
    return ShardCellBuilder(cells, shard, structure).build(ranges);
  };
  CellLayout result;
  result.trunk = build(layout.trunk);
  for (const Shard& shard : layout.shards) result.shards.push_back(build(shard));
  return result;
}

}  // namespace interpole::inference
