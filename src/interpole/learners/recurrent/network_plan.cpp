#include "interpole/learners/recurrent/network_plan.hpp"

#include <algorithm>

namespace interpole::learners {
namespace {

// Nodes by depth, then by the place of their parent. The tree has them by depth already, and a parent's place
// is known when its level is done: a counting sort, level by level.
std::vector<int> walking_order(const HistoryTree& tree, bool deciding_only) {
  const int nodes = tree.node_count();
  std::vector<int> place(nodes, -1);
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(nodes));
  for (int root = 0; root < tree.root_count; ++root) order.push_back(place[root] = root);
  for (int begin = tree.root_count; begin < nodes;) {
    int end = begin;
    while (end < nodes && tree.depth[end] == tree.depth[begin]) ++end;
    const auto first = static_cast<std::ptrdiff_t>(order.size());
    for (int node = begin; node < end; ++node) {
      if (!deciding_only || tree.decisions_at(node) > 0) order.push_back(node);
    }
    std::stable_sort(order.begin() + first, order.end(),
                     [&](int x, int y) { return place[tree.parent[x]] < place[tree.parent[y]]; });
    for (auto at = static_cast<std::size_t>(first); at < order.size(); ++at) {
      place[order[at]] = static_cast<int>(at);
    }
    begin = end;
  }
  return order;
}

}  // namespace

NetworkPlan plan_network(const HistoryTree& tree, bool deciding_only) {
  NetworkPlan plan;
  plan.roots = tree.root_count;
  plan.node = walking_order(tree, deciding_only);
  const int rows = plan.rows();
  std::vector<int> row_of(tree.node_count(), -1);
  for (int row = 0; row < rows; ++row) row_of[plan.node[row]] = row;

  plan.action.assign(rows, -1);
  plan.outcome.assign(rows, kMissing);
  for (const HistoryTree::Group& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      if (row_of[node] < 0) continue;
      plan.action[row_of[node]] = group.action;
      plan.outcome[row_of[node]] = group.observation;
    }
  }

  plan.parent.assign(rows, -1);
  plan.inner.assign(rows, -1);
  for (int row = plan.roots; row < rows; ++row) {
    const int parent_row = row_of[tree.parent[plan.node[row]]];
    if (plan.inner[parent_row] < 0) {
      plan.inner[parent_row] = plan.inners();
      plan.row_of_inner.push_back(parent_row);
      plan.first_child.push_back(row);
    }
    plan.parent[row] = plan.inner[parent_row];
  }
  plan.first_child.push_back(rows);
  for (int inner = 0; inner < plan.inners(); ++inner) {
    const int depth = tree.depth[plan.node[plan.row_of_inner[inner]]];
    if (depth > plan.levels()) plan.level_begin.push_back(inner);
  }
  plan.level_begin.push_back(plan.inners());
  return plan;
}

}  // namespace interpole::learners
