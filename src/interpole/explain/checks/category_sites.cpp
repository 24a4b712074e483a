#include "interpole/explain/checks/category_sites.hpp"

#include <algorithm>
#include <numeric>

#include "interpole/inference/decision_cells.hpp"

namespace interpole::explain {
namespace {

// Whether decisions are counted by class at each history.
bool by_class(const HistoryTree& tree) {
  return !tree.classes.node.empty();
}

// The site of the records of site `i` one decision earlier. Sites of one node are neighbours, and by class.
std::int32_t site_before(const HistoryTree& tree, const std::vector<std::int32_t>& first, std::size_t i,
                         std::int32_t node) {
  const std::int32_t parent = tree.parent[node];
  if (parent < 0) return -1;
  if (!by_class(tree)) return first[parent];
  const auto& classes = tree.classes.record_class;
  const auto begin = classes.begin() + first[parent];
  const auto end = classes.begin() + first[parent + 1];
  return static_cast<std::int32_t>(std::lower_bound(begin, end, classes[i]) - classes.begin());
}

void add_site(DecisionSites& sites, int node, const DecisionContext& context, const std::int64_t* counts) {
  const double total =
      static_cast<double>(std::accumulate(counts, counts + sites.categories, std::int64_t{0}));
  if (total <= 0.0) return;
  sites.node.push_back(node);
  sites.contexts.push_back(context);
  sites.counts.insert(sites.counts.end(), counts, counts + sites.categories);
  sites.totals.push_back(total);
}

void add_places(const HistoryTree& tree, DecisionSites& sites) {
  const auto& places = by_class(tree) ? tree.classes.places : tree.places;
  if (places.empty() || tree.records < 2) return;
  const double length = static_cast<double>(tree.records - 1);
  const auto A = static_cast<std::size_t>(sites.categories);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const std::size_t from = by_class(tree) ? i : static_cast<std::size_t>(sites.node[i]);
    for (std::size_t a = 0; a < A; ++a) {
      const double n = sites.counts[i * A + a];
      const double sum = places[from * A + a].sum / length;
      const double squares = places[from * A + a].squares / (length * length);
      sites.place_sums.push_back(sum - 0.5 * n);
      sites.place_squares.push_back(squares - sum + 0.25 * n);
    }
  }
}

}  // namespace

DecisionSites decision_sites(const HistoryTree& tree) {
  DecisionSites sites;
  sites.categories = tree.action_count;
  const auto contexts = inference::node_contexts(tree);
  if (by_class(tree)) {
    for (std::size_t i = 0; i < tree.classes.node.size(); ++i) {
      DecisionContext context = contexts[tree.classes.node[i]];
      context.covariates = tree.classes.covariates_of(tree.classes.record_class[i]);
      add_site(sites, tree.classes.node[i], context, &tree.classes.action_counts[i * tree.action_count]);
    }
  } else {
    for (int node = 0; node < tree.node_count(); ++node) {
      add_site(sites, node, contexts[node], tree.counts_at(node).data());
    }
  }
  std::vector<std::int32_t> first(tree.parent.size() + 1, 0);
  for (const std::int32_t node : sites.node) ++first[node + 1];
  for (std::size_t node = 0; node + 1 < first.size(); ++node) first[node + 1] += first[node];
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites.before.push_back(site_before(tree, first, i, sites.node[i]));
  }
  add_places(tree, sites);
  return sites;
}

std::vector<double> policies_at(const DecisionSites& sites, const Structure& structure,
                                const Parameters& agent, const inference::NodeBeliefs& beliefs) {
  const auto A = static_cast<std::size_t>(sites.categories);
  const std::vector<double> shares = agent.policy.kind_shares();
  const std::size_t K = shares.size();
  std::vector<Policy> kinds;
  for (std::size_t k = 0; k < K; ++k) kinds.push_back(agent.policy.of_kind(static_cast<int>(k)));
  std::vector<double> by_kind(sites.size() * K * A);  // π_k(a)
  std::vector<double> likely(sites.size() * K);       // how likely each kind is, after what was done before
  std::vector<double> policies(sites.counts.size(), 0.0);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const std::int32_t before = sites.before[i];
    double total = 0.0;
    for (std::size_t k = 0; k < K; ++k) {
      double& chance = likely[i * K + k];
      chance = shares[k];
      if (before >= 0) {
        chance = likely[before * K + k] * by_kind[(before * K + k) * A + sites.contexts[i].last_action];
      }
      total += chance;
    }
    for (std::size_t k = 0; k < K; ++k) {
      // A decision that no kind would ever take tells nothing of the kind.
      if (total > 0.0) {
        likely[i * K + k] /= total;
      } else {
        likely[i * K + k] = likely[before * K + k];
      }
      const std::span<double> own(&by_kind[(i * K + k) * A], A);
      action_probabilities(structure, kinds[k], beliefs.at(sites.node[i]), sites.contexts[i], own);
      for (std::size_t a = 0; a < A; ++a) policies[i * A + a] += likely[i * K + k] * own[a];
    }
  }
  return policies;
}

}  // namespace interpole::explain
