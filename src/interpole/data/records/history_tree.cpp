#include "interpole/history_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

#include "interpole/base/open_addressing.hpp"
#include "interpole/error.hpp"

namespace interpole {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kMostNodes = std::int64_t{1} << 31;

std::uint64_t hash_edge(std::int32_t parent, Step step) {
  std::uint64_t x = static_cast<std::uint32_t>(parent);
  x = x * 0x9E3779B97F4A7C15u + static_cast<std::uint32_t>(step.action);
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u + static_cast<std::uint32_t>(step.observation);
  x = (x ^ (x >> 32)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Covariates as whole numbers: an order in which "not known" has its place, whatever its bits.
std::vector<std::uint64_t> bits_of(std::span<const double> covariates) {
  std::vector<std::uint64_t> bits;
  bits.reserve(covariates.size());
  for (const double x : covariates) bits.push_back(std::bit_cast<std::uint64_t>(std::isnan(x) ? NAN : x));
  return bits;
}

// Those at these places; the others as if not known.
std::vector<double> only(std::span<const double> covariates, const std::vector<int>& places) {
  std::vector<double> result(covariates.size(), NAN);
  for (const int c : places) {
    if (static_cast<std::size_t>(c) < covariates.size()) result[c] = covariates[c];
  }
  return result;
}

}  // namespace

void HistoryTreeBuilder::ExactPlaces::add(std::uint64_t place) {
  add({place, place * place, static_cast<std::uint64_t>(Wide{place} * place >> 64)}, 1, 0);
}

// Σ (b + x)² = Σ x² + 2b Σ x + n b²
void HistoryTreeBuilder::ExactPlaces::add(const ExactPlaces& from_begin, std::uint64_t count,
                                          std::uint64_t begin) {
  sum += from_begin.sum + count * begin;
  Wide all = (Wide{squares_high} << 64) + squares;
  all += (Wide{from_begin.squares_high} << 64) + from_begin.squares;
  all += 2 * Wide{begin} * from_begin.sum + Wide{count} * begin * begin;
  squares = static_cast<std::uint64_t>(all);
  squares_high = static_cast<std::uint64_t>(all >> 64);
}

HistoryTree::Places HistoryTreeBuilder::ExactPlaces::rounded() const {
  return {static_cast<double>(sum),
          std::ldexp(static_cast<double>(squares_high), 64) + static_cast<double>(squares)};
}

std::int64_t HistoryTree::decisions_at(int node) const {
  const auto counts = counts_at(node);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::int32_t HistoryTree::root_of(std::span<const double> covariates) const {
  if (root_covariates.empty()) return 0;
  const auto wanted = roots_by.empty() ? bits_of(covariates) : bits_of(only(covariates, roots_by));
  std::int32_t low = 0;
  for (std::int32_t high = root_count; low < high;) {
    const std::int32_t middle = low + (high - low) / 2;
    if (bits_of(covariates_of_root(middle)) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < root_count && bits_of(covariates_of_root(low)) == wanted ? low : -1;
}

std::vector<std::int32_t> HistoryTree::path_of(std::span<const Step> record,
                                               std::span<const double> covariates) const {
  std::vector<std::int32_t> path;
  path.reserve(record.size());
  std::int32_t node = root_of(covariates);
  const auto before = [&](const Group& group,
                          const std::tuple<std::int32_t, std::int32_t, std::int32_t>& key) {
    return std::tuple(depth[group.begin], group.action, group.observation) < key;
  };
  for (std::size_t t = 0; t < record.size(); ++t) {
    path.push_back(node);
    if (node < 0 || t + 1 == record.size()) continue;
    // Groups are in the order of depth, action and outcome; within one a parent occurs at most once and
    // parents ascend.
    const std::tuple key(static_cast<std::int32_t>(t) + 1, record[t].action, record[t].observation);
    std::int32_t child = -1;
    for (auto group = std::lower_bound(groups.begin(), groups.end(), key, before);
         group != groups.end() && std::tuple(depth[group->begin], group->action, group->observation) == key;
         ++group) {
      const auto first = parent.begin() + group->begin;
      const auto last = parent.begin() + group->end;
      const auto it = std::lower_bound(first, last, node);
      if (it != last && *it == node) child = static_cast<std::int32_t>(it - parent.begin());
    }
    node = child;
  }
  return path;
}

HistoryTreeBuilder::HistoryTreeBuilder(int action_count, bool sharing, RecordClasses classes,
                                       std::vector<int> start_by)
    : action_count_(action_count),
      sharing_(sharing),
      rule_(classes),
      start_by_(std::move(start_by)),
      table_(1024, -1) {
  append_node(-1, Step{}, 0);
}

std::int32_t HistoryTreeBuilder::append_node(std::int32_t parent, Step step, std::int64_t record) {
  const auto node = static_cast<std::int64_t>(parent_.size());
  if (node >= kMostNodes - 1) {
    throw runtime_error(
        "the data have more than two thousand million distinct histories; fit a sample of the patients");
  }
  parent_.push_back(parent);
  depth_.push_back(parent < 0 ? 0 : depth_[parent] + 1);
  step_.push_back(step);
  passes_.push_back(0);
  first_record_.push_back(record);
  action_counts_.resize(action_counts_.size() + action_count_, 0);
  places_.resize(action_counts_.size());
  return static_cast<std::int32_t>(node);
}

void HistoryTreeBuilder::grow_table() {
  table_.assign(table_.size() * 2, -1);
  for (std::size_t node = 0; node < parent_.size(); ++node) {
    if (parent_[node] < 0) continue;
    const std::size_t hash = hash_edge(parent_[node], step_[node]);
    table_[base::probe(table_, hash, [](auto x) { return x < 0; })] = static_cast<std::int32_t>(node);
  }
}

std::int32_t HistoryTreeBuilder::child_of(std::int32_t node, Step step, std::int64_t record) {
  if (!sharing_) return append_node(node, step, record);
  if (parent_.size() * 2 > table_.size()) grow_table();
  const std::size_t slot = base::probe(table_, hash_edge(node, step), [&](std::int32_t child) {
    return child < 0 || (parent_[child] == node && step_[child] == step);
  });
  if (table_[slot] < 0) table_[slot] = append_node(node, step, record);
  return table_[slot];
}

void HistoryTreeBuilder::add(std::span<const Step> record, std::int64_t multiplicity) {
  add(record, {}, 0, multiplicity);
}

void HistoryTreeBuilder::add(std::span<const Step> record, std::span<const std::int32_t> diagnoses,
                             int states, std::int64_t multiplicity) {
  const bool apart = rule_ == RecordClasses::kApart;
  std::int32_t node = root_;
  passes_[node] += multiplicity;
  if (!diagnoses.empty()) states_ = states;
  in_order_ &= multiplicity == 1;
  for (std::size_t t = 0; t < record.size(); ++t) {
    const Step step = record[t];
    const std::size_t decision = static_cast<std::size_t>(node) * action_count_ + step.action;
    action_counts_[decision] += multiplicity;
    places_[decision].add(static_cast<std::uint64_t>(records_));
    if (record_class_ >= 0 && !apart) count_in_class(node, step.action, multiplicity);
    // A last step without an outcome leads nowhere: nothing is decided or observed there.
    if (t + 1 == record.size() && step.observation == kMissing) break;
    node = child_of(node, step, records_);
    passes_[node] += multiplicity;
    if (!diagnoses.empty() && diagnoses[t] >= 0) {
      diagnosis_counts_.resize(parent_.size() * states_, 0);
      diagnosis_counts_[static_cast<std::size_t>(node) * states_ + diagnoses[t]] += multiplicity;
    }
  }
  decisions_ += static_cast<std::int64_t>(record.size()) * multiplicity;
  records_ += multiplicity;
}

void HistoryTreeBuilder::set_covariates(std::span<const double> covariates) {
  if (covariates.empty()) return;
  choose_root(covariates);
  record_class_ = class_for(covariates);
}

// Classes are numbered as they are met.
int HistoryTreeBuilder::class_for(std::span<const double> covariates) {
  const auto [found, is_new] = class_of_.try_emplace(bits_of(covariates), static_cast<int>(class_of_.size()));
  if (is_new) {
    classes_.covariate_count = static_cast<int>(covariates.size());
    classes_.covariates.insert(classes_.covariates.end(), covariates.begin(), covariates.end());
  }
  return found->second;
}

void HistoryTreeBuilder::choose_root(std::span<const double> covariates) {
  const bool apart = rule_ == RecordClasses::kApart;
  if (!apart && start_by_.empty()) return;
  root_ = root_for(apart ? bits_of(covariates) : bits_of(only(covariates, start_by_)));
}

// The first one met has the node that was there before.
std::int32_t HistoryTreeBuilder::root_for(const std::vector<std::uint64_t>& key) {
  const auto [found, is_new] = root_of_.try_emplace(key, 0);
  if (is_new && root_of_.size() > 1) found->second = append_node(-1, Step{}, records_);
  return found->second;
}

// The place of such a cell, made if it is not there.
std::size_t HistoryTreeBuilder::cell_at(std::int32_t node, std::int32_t record_class) {
  const auto [found, is_new] = cell_of_.try_emplace({node, record_class}, classes_.node.size());
  if (is_new) {
    classes_.node.push_back(node);
    classes_.record_class.push_back(record_class);
    classes_.action_counts.resize(classes_.action_counts.size() + action_count_, 0);
    cell_places_.resize(classes_.action_counts.size());
  }
  return found->second;
}

void HistoryTreeBuilder::count_in_class(std::int32_t node, int action, std::int64_t multiplicity) {
  const std::size_t decision = cell_at(node, record_class_) * action_count_ + action;
  classes_.action_counts[decision] += multiplicity;
  cell_places_[decision].add(static_cast<std::uint64_t>(records_));
}

HistoryTree::Classes HistoryTreeBuilder::sorted_classes(const std::vector<std::int32_t>& rank) const {
  HistoryTree::Classes sorted{classes_.covariate_count, {}, {}, {}, {}, {}};
  std::vector<std::int32_t> class_rank(class_of_.size());
  for (const auto& [bits, met] : class_of_) {
    class_rank[met] = static_cast<std::int32_t>(sorted.covariates.size() / bits.size());
    const auto values = classes_.covariates_of(met);
    sorted.covariates.insert(sorted.covariates.end(), values.begin(), values.end());
  }
  std::vector<std::size_t> order(classes_.node.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) {
    return std::pair(rank[classes_.node[i]], class_rank[classes_.record_class[i]]);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return place(x) < place(y); });
  for (const std::size_t i : order) {
    sorted.node.push_back(rank[classes_.node[i]]);
    sorted.record_class.push_back(class_rank[classes_.record_class[i]]);
    const auto counts = classes_.action_counts.begin() + static_cast<std::ptrdiff_t>(i) * action_count_;
    sorted.action_counts.insert(sorted.action_counts.end(), counts, counts + action_count_);
    if (!in_order_) continue;
    for (int a = 0; a < action_count_; ++a)
      sorted.places.push_back(cell_places_[i * action_count_ + a].rounded());
  }
  return sorted;
}

// Roots in the order of their covariates, by which root_of() finds them.
void HistoryTreeBuilder::order_roots(HistoryTree& tree, std::vector<std::int32_t>& order) const {
  tree.root_count = static_cast<int>(root_of_.size());
  if (rule_ == RecordClasses::kTogether) tree.roots_by = start_by_;
  std::size_t next = 0;
  for (const auto& [bits, root] : root_of_) {
    order[next++] = root;
    for (const std::uint64_t x : bits) tree.root_covariates.push_back(std::bit_cast<double>(x));
  }
}

HistoryTree HistoryTreeBuilder::build() {
  const auto nodes = static_cast<std::int32_t>(parent_.size());
  // Children are appended after their parents, so a stable order by depth first can rank parents before
  // children are compared by them: sort level by level.
  std::vector<std::int32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t x, std::int32_t y) { return depth_[x] < depth_[y]; });
  std::vector<std::int32_t> rank(nodes, -1);
  HistoryTree tree;
  tree.action_count = action_count_;
  tree.records = records_;
  tree.decisions = decisions_;
  if (!root_of_.empty()) order_roots(tree, order);
  for (std::int32_t i = 0; i < tree.root_count; ++i) rank[order[i]] = i;
  for (std::int32_t begin = tree.root_count; begin < nodes;) {
    std::int32_t end = begin;
    while (end < nodes && depth_[order[end]] == depth_[order[begin]]) ++end;
    std::sort(order.begin() + begin, order.begin() + end, [&](std::int32_t x, std::int32_t y) {
      if (step_[x].action != step_[y].action) return step_[x].action < step_[y].action;
      if (step_[x].observation != step_[y].observation) return step_[x].observation < step_[y].observation;
      const std::int32_t px = rank[parent_[x]];
      const std::int32_t py = rank[parent_[y]];
      return px != py ? px < py : x < y;
    });
    for (std::int32_t i = begin; i < end; ++i) {
      rank[order[i]] = i;
      const Step step = step_[order[i]];
      if (i == begin || step != step_[order[i - 1]]) {
        tree.groups.push_back({step.action, step.observation, i, i});
      }
      tree.groups.back().end = i + 1;
    }
    begin = end;
  }
  tree.parent.resize(nodes);
  tree.depth.resize(nodes);
  tree.passes.resize(nodes);
  tree.first_record.resize(nodes);
  tree.action_counts.resize(action_counts_.size());
  if (in_order_) tree.places.resize(places_.size());
  if (states_ > 0) {
    diagnosis_counts_.resize(parent_.size() * states_, 0);
    tree.diagnosis_counts.resize(diagnosis_counts_.size());
  }
  for (std::int32_t i = 0; i < nodes; ++i) {
    const std::int32_t from = order[i];
    tree.parent[i] = parent_[from] < 0 ? -1 : rank[parent_[from]];
    tree.depth[i] = depth_[from];
    tree.passes[i] = passes_[from];
    tree.first_record[i] = first_record_[from];
    std::copy_n(action_counts_.begin() + static_cast<std::ptrdiff_t>(from) * action_count_, action_count_,
                tree.action_counts.begin() + static_cast<std::ptrdiff_t>(i) * action_count_);
    if (in_order_) {
      for (int a = 0; a < action_count_; ++a) {
        tree.places[static_cast<std::size_t>(i) * action_count_ + a] =
            places_[static_cast<std::size_t>(from) * action_count_ + a].rounded();
      }
    }
    std::copy_n(diagnosis_counts_.begin() + static_cast<std::ptrdiff_t>(from) * states_, states_,
                tree.diagnosis_counts.begin() + static_cast<std::ptrdiff_t>(i) * states_);
  }
  if (rule_ == RecordClasses::kTogether) tree.classes = sorted_classes(rank);
  *this = HistoryTreeBuilder(action_count_, sharing_, rule_, start_by_);
  return tree;
}

HistoryTree build_history_tree(int action_count, std::span<const Record> records, bool sharing,
                               RecordClasses classes, const std::vector<int>& start_by) {
  HistoryTreeBuilder builder(action_count, sharing, classes, start_by);
  for (const Record& record : records) {
    builder.set_covariates(record.covariates);
    builder.add(record.steps);
  }
  return builder.build();
}

}  // namespace interpole
