#include "interpole/learners/recurrent/held_out.hpp"

#include <cmath>

#include "interpole/base/random.hpp"

namespace interpole::learners {
namespace {

// How many records end at each history: [node·(A + 1) + a] with action a as their last step and no outcome
// after it, a = A with an outcome after which nothing was decided.
std::vector<std::int64_t> record_ends(const HistoryTree& tree, const std::vector<std::int32_t>& last_action) {
  const std::size_t A = tree.action_count;
  std::vector<std::int64_t> ends(tree.parent.size() * (A + 1), 0);
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    ends[node * (A + 1) + A] += tree.passes[node];
    for (std::size_t a = 0; a < A; ++a) {
      ends[node * (A + 1) + a] += tree.action_counts[node * A + a];
      ends[node * (A + 1) + A] -= tree.action_counts[node * A + a];
    }
    if (node > 0) ends[tree.parent[node] * (A + 1) + last_action[node]] -= tree.passes[node];
  }
  return ends;
}

// Of the records that end, in the order of how and where, every next one is taken with the chance that as
// many as wanted are taken in the end. The order is by content only: equal histories of an unshared tree
// stand together, in the place where the shared tree has their one node.
void keep_drawn(std::vector<std::int64_t>& ends, std::size_t kinds, std::int64_t records, std::int64_t wanted,
                base::RandomStream random) {
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    for (std::size_t at = kind; at < ends.size(); at += kinds) {
      std::int64_t drawn = 0;
      for (std::int64_t record = 0; record < ends[at]; ++record, --records) {
        if (random.uniform() * static_cast<double>(records) < static_cast<double>(wanted)) {
          ++drawn;
          --wanted;
        }
      }
      ends[at] = drawn;
    }
  }
}

}  // namespace

HeldOut hold_out_records(const HistoryTree& tree, double share, std::uint64_t seed, std::uint64_t draw) {
  const std::size_t A = tree.action_count;
  std::vector<std::int32_t> last_action(tree.parent.size(), -1);
  for (const HistoryTree::Group& group : tree.groups) {
    std::fill(last_action.begin() + group.begin, last_action.begin() + group.end, group.action);
  }
  HeldOut result{DecisionCounts::all_of(tree), {}, std::llround(share * static_cast<double>(tree.records))};
  result.validation.counts.assign(result.training.counts.size(), 0.0);

  std::vector<std::int64_t> ends = record_ends(tree, last_action);
  keep_drawn(ends, A + 1, tree.records, result.validation_records,
             base::RandomStream(seed, draw, base::RandomPurpose::kHeldOut));
  // A record that ends at a history has decided at every history before it: children first, then parents.
  for (std::size_t node = tree.parent.size(); node-- > 0;) {
    std::int64_t passes = ends[node * (A + 1) + A];
    for (std::size_t a = 0; a < A; ++a) {
      const std::int64_t taken = ends[node * (A + 1) + a];
      result.validation.counts[node * A + a] = static_cast<double>(taken);
      result.training.counts[node * A + a] -= static_cast<double>(taken);
      result.validation.total += static_cast<double>(taken);
      passes += taken;
    }
    if (node > 0) ends[tree.parent[node] * (A + 1) + last_action[node]] += passes;
  }
  result.training.total -= result.validation.total;
  return result;
}

}  // namespace interpole::learners
