#include "interpole/inference/kind_paths.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace interpole::inference {
namespace {

// The action that led to each history.
std::vector<std::int32_t> last_actions(const HistoryTree& tree) {
  std::vector<std::int32_t> actions(tree.node_count(), -1);
  for (const auto& group : tree.groups) {
    std::fill(actions.begin() + group.begin, actions.begin() + group.end, group.action);
  }
  return actions;
}

// Of log-probabilities by kind: their mixture, and in place how likely each kind is.
double mix(std::span<double> logs) {
  const double highest = *std::max_element(logs.begin(), logs.end());
  double total = 0.0;
  for (double& x : logs) total += x = std::exp(x - highest);
  for (double& x : logs) x /= total;
  return highest + std::log(total);
}

class Mixer {
 public:
  Mixer(const KindPaths& paths, std::size_t actions, std::span<const double> shares, KindSums& sums)
      : paths_(paths), A_(actions), K_(shares.size()), sums_(sums), scratch_(K_) {
    for (const double share : shares) log_share_.push_back(std::log(share));
  }

  double run(std::span<const std::int32_t> makers) {
    sum_along_paths();
    const double value = makers.empty() ? mix_records() : mix_makers(makers);
    sum_towards_root();
    return value;
  }

 private:
  std::size_t cells() const { return paths_.before.size(); }

  void sum_along_paths() {
    for (std::size_t k = 0; k < K_; ++k) {
      auto& before = sums_.before[k];
      const auto& log_chance = sums_.log_chance[k];
      for (std::size_t i = 0; i < cells(); ++i) {
        const std::int64_t entry = paths_.before[i];
        before[i] = entry < 0 ? 0.0 : before[entry / A_] + log_chance[entry];
      }
    }
  }

  void take(std::size_t entry, double records) {
    for (std::size_t k = 0; k < K_; ++k) sums_.weight[k][entry] = records * scratch_[k];
  }

  double mix_record(std::size_t cell, std::size_t entry) {
    const double records = paths_.ends[entry];
    for (std::size_t k = 0; k < K_; ++k) {
      scratch_[k] = log_share_[k] + sums_.before[k][cell] + sums_.log_chance[k][entry];
    }
    const double value = records * mix(scratch_);
    for (std::size_t k = 0; k < K_; ++k) sums_.taken_by[k] += records * scratch_[k];
    take(entry, records);
    return value;
  }

  double mix_records() {
    double value = 0.0;
    for (std::size_t entry = 0; entry < paths_.ends.size(); ++entry) {
      if (paths_.ends[entry] > 0.0) value += mix_record(entry / A_, entry);
    }
    return value;
  }

  // All records of a decision-maker are of the same kind.
  double mix_makers(std::span<const std::int32_t> makers) {
    const std::int32_t count = 1 + *std::max_element(makers.begin(), makers.end());
    std::vector<double> logs(static_cast<std::size_t>(std::max(count, 0)) * K_);
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = log_share_[i % K_];
    const auto each_end = [&](const auto& visit) {
      for (std::size_t entry = 0; entry < paths_.ends.size(); ++entry) {
        if (paths_.ends[entry] > 0.0) visit(entry / A_, entry, makers[paths_.record_class[entry / A_]]);
      }
    };
    double value = 0.0;
    each_end([&](std::size_t cell, std::size_t entry, std::int32_t maker) {
      if (maker < 0) {
        value += mix_record(cell, entry);
        return;
      }
      for (std::size_t k = 0; k < K_; ++k) {
        logs[maker * K_ + k] += paths_.ends[entry] * (sums_.before[k][cell] + sums_.log_chance[k][entry]);
      }
    });
    for (std::int32_t maker = 0; maker < count; ++maker) {
      const std::span<double> likely(&logs[maker * K_], K_);
      value += mix(likely);
      for (std::size_t k = 0; k < K_; ++k) sums_.taken_by[k] += likely[k];
    }
    each_end([&](std::size_t, std::size_t entry, std::int32_t maker) {
      if (maker < 0) return;
      std::copy_n(&logs[maker * K_], K_, scratch_.begin());
      take(entry, paths_.ends[entry]);
    });
    return value;
  }

  // Who took the last decision of a record took the others too.
  void sum_towards_root() {
    for (auto& weight : sums_.weight) {
      for (std::size_t i = cells(); i-- > 0;) {
        const std::int64_t entry = paths_.before[i];
        if (entry < 0) continue;
        for (std::size_t a = 0; a < A_; ++a) weight[entry] += weight[i * A_ + a];
      }
    }
  }

  const KindPaths& paths_;
  std::size_t A_, K_;
  KindSums& sums_;
  std::vector<double> scratch_, log_share_;
};

}  // namespace

KindPaths kind_paths(const HistoryTree& tree, const DecisionCells& cells) {
  const auto actions = static_cast<std::size_t>(tree.action_count);
  const auto last_action = last_actions(tree);
  KindPaths paths;
  paths.ends = cells.counts;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> cell_of;  // by history and class
  for (int i = 0; i < cells.size(); ++i) {
    const std::int32_t node = cells.node[i];
    const std::int32_t record_class = cells.record_class[i];
    cell_of.emplace(std::pair(node, record_class), i);
    paths.record_class.push_back(record_class);
    paths.before.push_back(-1);
    if (node < tree.root_count) continue;
    const std::int32_t earlier = cell_of.at({tree.parent[node], record_class});
    const auto entry = static_cast<std::size_t>(earlier) * actions + last_action[node];
    paths.before.back() = static_cast<std::int64_t>(entry);
    for (std::size_t a = 0; a < actions; ++a) paths.ends[entry] -= cells.counts[i * actions + a];
  }
  return paths;
}

std::vector<std::int32_t> decision_makers(const HistoryTree& tree, int covariate) {
  std::vector<std::int32_t> makers;
  if (covariate < 0 || covariate >= tree.classes.covariate_count) return makers;
  for (std::size_t i = covariate; i < tree.classes.covariates.size(); i += tree.classes.covariate_count) {
    const double who = tree.classes.covariates[i];
    makers.push_back(std::isnan(who) ? -1 : static_cast<std::int32_t>(who));
  }
  return makers;
}

void KindSums::reset(int kinds, std::size_t cells, std::size_t actions) {
  log_chance.resize(kinds);
  before.resize(kinds);
  weight.resize(kinds);
  for (int k = 0; k < kinds; ++k) {
    log_chance[k].resize(cells * actions);
    before[k].resize(cells);
    weight[k].assign(cells * actions, 0.0);
  }
  taken_by.assign(kinds, 0.0);
}

double mix_kinds(const KindPaths& paths, std::span<const std::int32_t> makers, std::size_t actions,
                 std::span<const double> shares, KindSums& sums) {
  return Mixer(paths, actions, shares, sums).run(makers);
}

}  // namespace interpole::inference
