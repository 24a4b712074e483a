#include "interpole/inference/decision_cells.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>

#include "interpole/model/policy_terms.hpp"

namespace interpole::inference {
namespace {

class Collector {
 public:
  explicit Collector(const HistoryTree& tree) : tree_(tree), at_node_(node_contexts(tree)) {}

  // Cells of one node come one after the other.
  void add(int node, int record_class, const std::int64_t* counts) {
    const int actions = tree_.action_count;
    std::int64_t decisions = 0;
    for (int a = 0; a < actions; ++a) decisions += counts[a];
    if (decisions == 0) return;
    if (node != node_) at_this_node_.clear();
    node_ = node;
    const auto [found, is_new] = at_this_node_.try_emplace(record_class, cells_.size());
    if (!is_new) {
      double* sums = &cells_.counts[static_cast<std::size_t>(found->second) * actions];
      for (int a = 0; a < actions; ++a) sums[a] += static_cast<double>(counts[a]);
      return;
    }
    cells_.node.push_back(node);
    cells_.context.push_back(context_of(at_node_[node], record_class));
    cells_.record_class.push_back(record_class);
    cells_.counts.insert(cells_.counts.end(), counts, counts + actions);
  }

  DecisionCells take() { return std::move(cells_); }

 private:
  std::int32_t context_of(DecisionContext context, int record_class) {
    const auto next = static_cast<std::int32_t>(cells_.contexts.size());
    const std::array key = {context.last_action, context.step, context.result_missing ? 1 : 0, record_class};
    const auto [found, is_new] = known_.try_emplace(key, next);
    if (is_new) {
      context.covariates = tree_.classes.covariates_of(record_class);
      cells_.contexts.push_back(context);
    }
    return found->second;
  }

  const HistoryTree& tree_;
  std::vector<DecisionContext> at_node_;
  std::map<std::array<int, 4>, std::int32_t> known_;
  std::unordered_map<int, int> at_this_node_;  // cells by class
  int node_ = -1;
  DecisionCells cells_;
};

// Of every class: the first with the same values of these covariates.
std::vector<int> classes_alike(const HistoryTree::Classes& classes, const std::vector<int>& covariates) {
  std::map<std::vector<std::uint64_t>, int> first;
  std::vector<int> result;
  const int count = static_cast<int>(classes.covariates.size()) / classes.covariate_count;
  for (int c = 0; c < count; ++c) {
    std::vector<std::uint64_t> values;  // bits, so that what is not recorded (NaN) is alike too
    values.reserve(covariates.size());
    for (const int covariate : covariates) {
      values.push_back(std::bit_cast<std::uint64_t>(classes.covariates_of(c)[covariate]));
    }
    result.push_back(first.try_emplace(std::move(values), c).first->second);
  }
  return result;
}

}  // namespace

std::vector<DecisionContext> node_contexts(const HistoryTree& tree) {
  std::vector<DecisionContext> contexts(tree.node_count());
  for (int root = 0; root < tree.root_count; ++root)
    contexts[root].covariates = tree.covariates_of_root(root);
  for (const auto& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      contexts[node] = {group.action, tree.depth[node], group.observation == kMissing,
                        contexts[tree.parent[node]].covariates};
    }
  }
  return contexts;
}

std::vector<DecisionContext> node_contexts(const HistoryTree& tree, const Structure& structure,
                                           const Policy& policy, const NodeBeliefs& beliefs,
                                           std::vector<double>& kinds) {
  auto contexts = node_contexts(tree);
  kinds.clear();
  if (policy.other_kinds.empty()) return contexts;
  const auto shares = policy.kind_shares();
  const std::size_t K = shares.size();
  kinds.resize(contexts.size() * K);
  const auto at = [&](std::size_t node) { return std::span(&kinds[node * K], K); };
  for (int root = 0; root < tree.root_count; ++root) std::ranges::copy(shares, at(root).begin());
  for (const auto& group : tree.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      const int parent = tree.parent[node];
      kinds_after_decision(structure, policy, beliefs.at(parent), contexts[parent], group.action, at(node));
      contexts[node].kinds = at(node);
    }
  }
  return contexts;
}

DecisionCells decision_cells(const HistoryTree& tree) {
  Collector collector(tree);
  if (tree.classes.none()) {
    for (int node = 0; node < tree.node_count(); ++node) collector.add(node, 0, tree.counts_at(node).data());
  } else {
    const auto actions = static_cast<std::size_t>(tree.action_count);
    for (std::size_t i = 0; i < tree.classes.node.size(); ++i) {
      collector.add(tree.classes.node[i], tree.classes.record_class[i],
                    &tree.classes.action_counts[i * actions]);
    }
  }
  return collector.take();
}

DecisionCells decision_cells(const HistoryTree& tree, const std::vector<int>& covariates) {
  if (tree.classes.none()) return decision_cells(tree);
  Collector collector(tree);
  const auto first_alike = classes_alike(tree.classes, covariates);
  const auto actions = static_cast<std::size_t>(tree.action_count);
  for (std::size_t i = 0; i < tree.classes.node.size(); ++i) {
    collector.add(tree.classes.node[i], first_alike[tree.classes.record_class[i]],
                  &tree.classes.action_counts[i * actions]);
  }
  return collector.take();
}

void ContextTables::reset(std::size_t contexts, std::size_t actions) {
  offset.assign(contexts * actions, 0.0);
  floor.assign(contexts * actions, 0.0);
  keep.assign(contexts, 0.0);
}

void ContextLevels::match(const DecisionCells& cells, int actions, const PolicyTerms& terms) {
  const auto same = [](const PolicyTerm& x, const PolicyTerm& y) {
    return x.kind == y.kind && x.covariate == y.covariate && x.period == y.period &&
           x.weights.size() == y.weights.size();
  };
  if (cells_ == &cells && terms.covariates == made_for_.covariates &&
      std::equal(terms.additive.begin(), terms.additive.end(), made_for_.additive.begin(),
                 made_for_.additive.end(), same)) {
    return;
  }
  cells_ = &cells;
  made_for_ = terms;
  levels_.clear();
  levels_.reserve(cells.contexts.size() * terms.additive.size());
  for (const DecisionContext& context : cells.contexts) {
    for (const PolicyTerm& term : terms.additive) {
      const model::ActiveLevel active = model::active_level(terms, term, actions, context);
      levels_.push_back({active.level < 0 ? -1 : active.level * actions, active.value});
    }
  }
}

void fill_tables(const DecisionCells& cells, const ContextLevels& levels, int actions,
                 const PolicyTerms& terms, ContextTables& tables) {
  tables.reset(cells.contexts.size(), actions);
  for (std::size_t c = 0; c < cells.contexts.size(); ++c) {
    double* offset = &tables.offset[c * actions];
    const auto at = levels.at(c);
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i].first_weight < 0) continue;
      const double* weights = &terms.additive[i].weights[at[i].first_weight];
      for (int a = 0; a < actions; ++a) offset[a] += at[i].value * weights[a];
    }
    const std::span<double> floor(&tables.floor[c * actions], actions);
    tables.keep[c] = 1.0 - terms.lapse;
    for (double& share : floor) share = terms.lapse / actions;
    const int last_action = cells.contexts[c].last_action;
    if (last_action < 0) continue;
    tables.keep[c] -= terms.inertia;
    floor[last_action] += terms.inertia;
  }
}

void pull_back_tables(const DecisionCells& cells, const ContextLevels& levels, int actions,
                      const ContextTables& derivatives, PolicyTerms& gradient) {
  for (std::size_t c = 0; c < cells.contexts.size(); ++c) {
    const double* d_offset = &derivatives.offset[c * actions];
    const double* d_floor = &derivatives.floor[c * actions];
    const auto at = levels.at(c);
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i].first_weight < 0) continue;
      double* d_weight = &gradient.additive[i].weights[at[i].first_weight];
      for (int a = 0; a < actions; ++a) d_weight[a] += at[i].value * d_offset[a];
    }
    double spread = 0.0;
    for (int a = 0; a < actions; ++a) spread += d_floor[a];
    gradient.lapse += spread / actions - derivatives.keep[c];
    const int last_action = cells.contexts[c].last_action;
    if (last_action >= 0) gradient.inertia += d_floor[last_action] - derivatives.keep[c];
  }
}

}  // namespace interpole::inference
