#include "interpole/inference/layout/tree_layout.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "interpole/inference/steps/step_matrices.hpp"

namespace interpole::inference {
namespace {

constexpr int kSmallestWorthCutting = 16'384;  // nodes
constexpr int kNodesPerShard = 8'192;
constexpr int kMostShards = 64;
constexpr int kTrunk = -1;

int round_up(int n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// Which shard each node belongs to; kTrunk for the trunk.
std::vector<int> assign_shards(const HistoryTree& tree, int& shard_count) {
  const int nodes = tree.node_count();
  std::vector<int> shard(nodes, kTrunk);
  shard_count = 0;
  if (nodes < kSmallestWorthCutting) return shard;

  shard_count = std::min(nodes / kNodesPerShard, kMostShards);
  std::vector<int> below(nodes, 1);
  for (int node = nodes - 1; node >= tree.root_count; --node) below[tree.parent[node]] += below[node];
  const int limit = std::max(1, nodes / (4 * shard_count));

  // Subtrees that fit hang below the trunk; the largest first, each to the emptiest shard.
  std::vector<int> roots;
  for (int node = tree.root_count; node < nodes; ++node) {
    const int parent = tree.parent[node];
    if (below[node] <= limit && (below[parent] > limit || parent < tree.root_count)) roots.push_back(node);
  }
  std::stable_sort(roots.begin(), roots.end(), [&](int x, int y) { return below[x] > below[y]; });
  using Load = std::pair<std::int64_t, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (int i = 0; i < shard_count; ++i) loads.push({0, i});
  for (const int root : roots) {
    auto [load, lightest] = loads.top();
    loads.pop();
    shard[root] = lightest;
    loads.push({load + below[root], lightest});
  }
  for (int node = tree.root_count; node < nodes; ++node) {
    if (shard[node] == kTrunk && shard[tree.parent[node]] != kTrunk) shard[node] = shard[tree.parent[node]];
  }
  return shard;
}

class ShardBuilder {
 public:
  ShardBuilder(const HistoryTree& tree, const Structure& structure, const StepMatrices& matrices,
               const std::vector<int>& shard_of)
      : tree_(tree), structure_(structure), matrices_(matrices), shard_of_(shard_of) {}

  // `members`: tree nodes of this shard, ascending. `local`: tree node → local index, shared by trunk and
  // shards; on entry it holds the trunk's indices for nodes of the trunk.
  Shard build(const std::vector<int>& members, std::vector<std::int32_t>& local) {
    import_parents(members, local);
    shard_.null_begin = round_up(static_cast<int>(shard_.imported.size()));
    shard_.size = shard_.null_begin + kLanes;
    lay_out_groups(members, local);
    fill(local);
    return std::move(shard_);
  }

 private:
  void import_parents(const std::vector<int>& members, const std::vector<std::int32_t>& local) {
    for (const int node : members) {
      const int parent = tree_.parent[node];
      if (parent < 0 || shard_of_[parent] == shard_of_[node]) continue;
      const auto index = static_cast<std::int32_t>(shard_.imported.size());
      if (imported_index_.emplace(parent, index).second) shard_.imported.push_back(local[parent]);
    }
  }

  void open_group(std::size_t matrix) {
    Shard::Group group;
    const auto slot = slots_.emplace(matrix, static_cast<std::int32_t>(shard_.matrices.size()));
    if (slot.second) shard_.matrices.push_back(matrix);
    group.slot = slot.first->second;
    group.begin = group.end = shard_.size;
    shard_.groups.push_back(group);
  }

  void close_group() {
    auto& group = shard_.groups.back();
    shard_.size = group.end = round_up(group.end);
  }

  void lay_out_groups(const std::vector<int>& members, std::vector<std::int32_t>& local) {
    auto place = [&](int node) { local[node] = shard_.groups.back().end++; };
    std::size_t next = 0;
    if (!members.empty() && members[0] == 0) {
      open_group(0);
      for (; next < static_cast<std::size_t>(tree_.root_count); ++next) place(members[next]);
      close_group();
    }
    const HistoryTree::Group* open = nullptr;
    for (std::size_t g = 0; g < tree_.groups.size(); ++g) {
      const auto& group = tree_.groups[g];
      if (next == members.size()) break;
      if (members[next] >= group.end) continue;
      const bool goes_on = structure_.measured() && open != nullptr && open->action == group.action &&
                           open->gap == group.gap && tree_.depth[open->begin] == tree_.depth[group.begin];
      if (!goes_on) {
        if (open != nullptr) close_group();
        open_group(matrices_.of_group(g));
      }
      open = &group;
      for (; next < members.size() && members[next] < group.end; ++next) {
        auto& here = shard_.groups.back();
        if (here.end > here.begin && tree_.parent[members[next]] == tree_.parent[members[next - 1]]) {
          here.parents_repeat = true;
        }
        place(members[next]);
      }
    }
    if (open != nullptr) close_group();
    members_ = &members;
  }

  void fill(const std::vector<std::int32_t>& local) {
    const std::size_t size = shard_.size;
    const int A = structure_.action_count();
    shard_.tree_node.assign(size, -1);
    shard_.passes.assign(size, 0.0);
    shard_.decisions.assign(size, 0.0);
    shard_.counts.assign(size * A, 0.0);
    shard_.parent_offset.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      shard_.parent_offset[i] =
          block_offset(shard_.null_begin + static_cast<std::int64_t>(i) % kLanes, structure_.state_count());
    }
    for (const int node : *members_) {
      const std::int32_t at = local[node];
      const int parent = tree_.parent[node];
      shard_.tree_node[at] = node;
      shard_.passes[at] = static_cast<double>(tree_.passes[node]);
      shard_.decisions[at] = static_cast<double>(tree_.decisions_at(node));
      for (int a = 0; a < A; ++a) {
        shard_.counts[block_offset(at, A) + static_cast<std::int64_t>(a) * kLanes] =
            static_cast<double>(tree_.counts_at(node)[a]);
      }
      if (parent < 0) continue;
      const std::int32_t above =
          shard_of_[parent] == shard_of_[node] ? local[parent] : imported_index_.at(parent);
      shard_.parent_offset[at] = block_offset(above, structure_.state_count());
    }
    for (auto& group : shard_.groups) {
      for (int i = group.begin; i < group.end; ++i) group.has_decisions |= shard_.decisions[i] > 0.0;
    }
    if (structure_.measured()) fill_rows(local);
  }

  void fill_rows(const std::vector<std::int32_t>& local) {
    const auto S = static_cast<std::int64_t>(structure_.states.size());
    std::vector<OutcomeUse> uses;
    std::vector<std::pair<std::int32_t, std::size_t>> use_of;  // local node, use
    std::size_t group = 0;
    bool first_here = true;  // of the group
    for (const int node : *members_) {
      if (node < tree_.root_count) continue;
      for (; tree_.groups[group].end <= node; ++group) first_here = true;
      if (first_here) uses.push_back({tree_.groups[group].action, tree_.groups[group].observation, 0.0});
      first_here = false;
      uses.back().passes += static_cast<double>(tree_.passes[node]);
      use_of.emplace_back(local[node], uses.size() - 1);
    }
    shard_.rows = MeasuredRows(structure_, uses);
    shard_.row_offset.assign(shard_.size, 0);
    for (const auto& [at, use] : use_of) shard_.row_offset[at] = shard_.rows.row_of(use) * S;
    // Where several outcomes are in one group, a parent may occur more than once in a vector.
    for (auto& own : shard_.groups) {
      for (int block = own.begin; block < own.end; block += kLanes) {
        const auto first = shard_.parent_offset.begin() + block;
        for (int i = 1; i < kLanes; ++i)
          own.parents_repeat |= std::find(first, first + i, first[i]) != first + i;
      }
    }
  }

  const HistoryTree& tree_;
  const Structure& structure_;
  const StepMatrices& matrices_;
  const std::vector<int>& shard_of_;
  Shard shard_;
  std::unordered_map<int, std::int32_t> imported_index_;
  std::unordered_map<std::size_t, std::int32_t> slots_;
  const std::vector<int>* members_ = nullptr;
};

}  // namespace

TreeLayout make_tree_layout(const HistoryTree& tree, const Structure& structure,
                            const StepMatrices& matrices) {
  int shard_count = 0;
  const std::vector<int> shard_of = assign_shards(tree, shard_count);
  std::vector<int> trunk;
  std::vector<std::vector<int>> members(shard_count);
  for (int node = 0; node < tree.node_count(); ++node) {
    (shard_of[node] == kTrunk ? trunk : members[shard_of[node]]).push_back(node);
  }
  TreeLayout plan;
  plan.root_count = tree.root_count;
  std::vector<std::int32_t> local(tree.node_count(), -1);
  plan.trunk = ShardBuilder(tree, structure, matrices, shard_of).build(trunk, local);
  for (const auto& nodes : members)
    plan.shards.push_back(ShardBuilder(tree, structure, matrices, shard_of).build(nodes, local));
  return plan;
}

}  // namespace interpole::inference
