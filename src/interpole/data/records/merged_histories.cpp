#include "interpole/data/records/merged_histories.hpp"

#include <algorithm>

namespace interpole::data {
namespace {

// Adds the second tree's row `from` to the first's row `to`; rows of `width`, none if it has no such counts.
void add_row(std::vector<std::int64_t>& sums, std::size_t to, const std::vector<std::int64_t>& counts,
             std::size_t from, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) sums[to * width + i] += counts[from * width + i];
}

}  // namespace

HistoryTree merged_histories(const HistoryTree& tree) {
  const std::size_t nodes = tree.parent.size();
  const auto actions = static_cast<std::size_t>(tree.action_count);
  const std::size_t states = nodes == 0 ? 0 : tree.diagnosis_counts.size() / nodes;
  HistoryTree merged;
  merged.action_count = tree.action_count;
  merged.records = tree.records;
  merged.decisions = tree.decisions;
  std::vector<std::int32_t> place(nodes, 0);  // of each node in the merged tree
  const auto add = [&](std::size_t node, std::int32_t parent, bool anew) {
    if (anew) {
      merged.parent.push_back(parent);
      merged.depth.push_back(tree.depth[node]);
      merged.passes.push_back(0);
      merged.first_record.push_back(tree.first_record[node]);
      merged.action_counts.resize(merged.parent.size() * actions, 0);
      merged.diagnosis_counts.resize(merged.parent.size() * states, 0);
    }
    const std::size_t at = merged.parent.size() - 1;
    place[node] = static_cast<std::int32_t>(at);
    merged.passes[at] += tree.passes[node];
    merged.first_record[at] = std::min(merged.first_record[at], tree.first_record[node]);
    add_row(merged.action_counts, at, tree.action_counts, node, actions);
    add_row(merged.diagnosis_counts, at, tree.diagnosis_counts, node, states);
  };
  add(0, -1, true);
  // Nodes are ordered by depth, action, gap, outcome and parent, so equal histories are neighbours if their
  // parents are; the root has none.
  for (const HistoryTree::Group& group : tree.groups) {
    const auto begin = static_cast<std::int32_t>(merged.parent.size());
    HistoryTree::Group own{group.action, group.observation, begin, begin, group.gap};
    for (std::int32_t node = group.begin; node < group.end; ++node) {
      const std::int32_t parent = place[tree.parent[node]];
      add(node, parent, own.end == own.begin || merged.parent.back() != parent);
      own.end = static_cast<std::int32_t>(merged.parent.size());
    }
    merged.groups.push_back(own);
  }
  return merged;
}

}  // namespace interpole::data
