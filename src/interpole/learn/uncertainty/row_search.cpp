#include "interpole/learn/uncertainty/row_search.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostWrongRows = 8;
constexpr double kOneMore = 1.0 / 3.0;   // prior odds of k + 1 wrong rows against k
constexpr int kLookedAt = 3;             // candidates that are weighed with the data, of each round
constexpr double kWorthALook = 4.0;      // nats below the best candidate
constexpr double kBeneathNotice = 30.0;  // nats below where it comes from: it does not matter by how much
// σ of a wrong row, with the half-normal prior of scales: gaps that have a name.
constexpr std::array<double, 4> kRowScales = {0.25, 0.5, 1.0, 2.0};

std::array<double, kRowScales.size()> log_prior_of_scales() {
  std::array<double, kRowScales.size()> logs{};
  for (std::size_t g = 0; g < logs.size(); ++g) {
    logs[g] = std::log(kRowScales[g]) - 0.5 * std::pow(kRowScales[g] / kScaleSpread, 2.0);
  }
  const double total = log_sum({logs.begin(), logs.end()});
  for (double& x : logs) x -= total;
  return logs;
}

// Averages over σ, and says which is likeliest.
struct ScaleAverage {
  double log_mean = -INFINITY;
  double likeliest = kRowScales[0];
};
template <class LogEvidence>
ScaleAverage average_over_scales(const LogEvidence& log_evidence) {
  const auto prior = log_prior_of_scales();
  std::vector<double> logs;
  for (std::size_t g = 0; g < prior.size(); ++g) logs.push_back(prior[g] + log_evidence(kRowScales[g]));
  const auto top = std::max_element(logs.begin(), logs.end()) - logs.begin();
  return {log_sum(logs), kRowScales[top]};
}

// What letting one more row go would gain, by the quadratic around a mode: no look at the data.
class Screen {
 public:
  Screen(const CoupledSpace& space, const CoupledMode& from) : space_(space) {
    const auto n = static_cast<Eigen::Index>(from.expansion.at.size());
    const Eigen::Map<const MatrixXd> bend(from.expansion.bend.data(), n, n);
    std::vector<double> joint(n);
    space.joint_coordinates(from.mode.y, joint);
    const VectorXd step =
        Eigen::Map<const VectorXd>(joint.data(), n) - Eigen::Map<const VectorXd>(from.expansion.at.data(), n);
    const VectorXd slope = Eigen::Map<const VectorXd>(from.expansion.gradient.data(), n) - bend * step;
    const Eigen::Index agents = space.agent().size();
    gradient_ = slope.tail(agents);
    MatrixXd cross(n, agents);  // of this posterior's coordinates with the agent's
    std::vector<double> pulled(n);
    for (Eigen::Index i = 0; i < agents; ++i) {
      const VectorXd column = bend.col(n - agents + i);
      space.joint_pull_back({column.data(), joint.size()}, pulled);
      cross.col(i) = Eigen::Map<const VectorXd>(pulled.data(), n);
    }
    const Eigen::Map<const MatrixXd> own(from.mode.bend.data(), n, n);
    if (const auto solved = optimize::definite_solve(own, cross)) {
      left_ = bend.bottomRightCorner(agents, agents) - cross.transpose() * *solved;
    }
  }

  // log of the evidence with this row's gap over that without it.
  ScaleAverage gain(std::size_t row) const {
    const auto& block = *space_.links()[row].block;
    if (left_.size() == 0) return {0.0, 1.0};
    const auto parts =
        optimize::symmetric_eigen(left_.block(block.offset, block.offset, block.size, block.size));
    const VectorXd g = parts.vectors.transpose() * gradient_.segment(block.offset, block.size);
    return average_over_scales([&](double sigma) {
      double log_ratio = 0.0;
      for (Eigen::Index i = 0; i < g.size(); ++i) {
        const double stretch = 1.0 + sigma * sigma * std::max(parts.values[i], 0.0);
        log_ratio += 0.5 * sigma * sigma * g[i] * g[i] / stretch - 0.5 * std::log(stretch);
      }
      return log_ratio;
    });
  }

 private:
  const CoupledSpace& space_;
  VectorXd gradient_;
  MatrixXd left_;  // the bend by the agent's coordinates, once all that is free has adapted
};

std::size_t rows_of(const DecisionProblem& problem) {
  return CoupledSpace(problem, {}).links().size();
}

int most_wrong(std::size_t rows) {
  return std::min(kMostWrongRows, static_cast<int>(rows));
}

class RowSearch {
 public:
  RowSearch(ModeFollower& follower, const DecisionProblem& problem, const Sink& sink, base::Steps& steps)
      : follower_(follower), problem_(problem), sink_(sink), steps_(steps), rows_(rows_of(problem)) {}

  RowSearchResult run(const CoupledMode& together) {
    if (rows_ < 2 || !together.mode.proper) return {};
    CoupledMode at = together;
    at.scales.rows.assign(rows_, 0.0);
    double log_weight = -INFINITY;  // of the set reached
    while (wrong_rows(at.scales.rows) < most_wrong(rows_) && !stopped()) {
      std::optional<CoupledMode> next = best_of_one_more(at);
      if (!next) break;
      const double there = weight_of(next->scales.rows);
      if (there <= log_weight) break;
      at = std::move(*next);
      log_weight = there;
      best_ = at;
      let_go(at, log_weight);
    }
    RowSearchResult result;
    for (auto& [key, hypothesis] : met_) result.hypotheses.push_back(std::move(hypothesis));
    result.best = std::move(best_);
    if (wrong_rows(result.best.scales.rows) == 0) result.hypotheses.clear();
    return result;
  }

 private:
  using Key = std::vector<bool>;
  static Key key_of(const std::vector<double>& rows) {
    Key key;
    for (const double sigma : rows) key.push_back(sigma > 0.0);
    return key;
  }
  static int wrong_rows(const std::vector<double>& rows) {
    return static_cast<int>(std::ranges::count_if(rows, [](double sigma) { return sigma > 0.0; }));
  }
  bool stopped() const { return sink_.stop_requested(); }

  // Hypotheses looked at with the data replace those that were not.
  void keep(const std::vector<double>& rows, double log_evidence, bool looked_at) {
    const Key key = key_of(rows);
    if (!looked_at && looked_at_.contains(key)) return;
    if (looked_at) looked_at_[key] = true;
    met_[key] = {rows, log_prior_of_rows(wrong_rows(rows), static_cast<int>(rows_)), log_evidence};
  }
  double weight_of(const std::vector<double>& rows) const {
    const RowHypothesis& hypothesis = met_.at(key_of(rows));
    return hypothesis.log_prior + hypothesis.log_evidence;
  }

  // Averaged over σ, of a set that was looked at.
  double log_evidence_of(const CoupledMode& at) const {
    return wrong_rows(at.scales.rows) == 0 ? at.log_evidence() : met_.at(key_of(at.scales.rows)).log_evidence;
  }

  // Every set with one more row is screened, the most promising are looked at. The others are not thought to
  // be better than those.
  std::optional<CoupledMode> best_of_one_more(const CoupledMode& at) {
    const double here = log_evidence_of(at);
    const CoupledSpace space(problem_, {at.scales, false});
    const Screen screen(space, at);
    std::vector<std::pair<double, std::vector<double>>> candidates;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (at.scales.rows[r] > 0.0) continue;
      const ScaleAverage gain = screen.gain(r);
      auto rows = at.scales.rows;
      rows[r] = gain.likeliest;
      candidates.emplace_back(gain.log_mean, std::move(rows));
    }
    std::ranges::stable_sort(candidates, std::greater{}, [](const auto& x) { return x.first; });
    std::optional<CoupledMode> best;
    double least = INFINITY;  // evidence of those looked at
    std::size_t i = 0;
    for (; i < std::min<std::size_t>(kLookedAt, candidates.size()) && !stopped(); ++i) {
      if (candidates[i].first < candidates[0].first - kWorthALook) break;
      CoupledMode mode = look_at(candidates[i].second, at);
      if (!mode.mode.proper) continue;
      least = std::min(least, met_.at(key_of(mode.scales.rows)).log_evidence);
      if (!best || weight_of(mode.scales.rows) > weight_of(best->scales.rows)) best = std::move(mode);
    }
    for (; i < candidates.size() && best; ++i) {
      keep(candidates[i].second, std::min(here + candidates[i].first, least), false);
    }
    return best;
  }

  CoupledMode look_at(const std::vector<double>& rows, const CoupledMode& from) {
    CouplingScales scales;
    scales.rows = rows;
    CoupledMode mode = follower_.follow(scales, from);
    steps_.step();
    const auto [log_evidence, likeliest] = average(mode);
    mode.scales.rows = rows;
    keep(likeliest, mode.mode.proper ? log_evidence : -INFINITY, true);
    return mode;
  }

  // Over the σ of every wrong row, each with the others as they are.
  std::pair<double, std::vector<double>> average(const CoupledMode& at) {
    double log_evidence = at.log_evidence();
    std::vector<double> likeliest = at.scales.rows;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (!(at.scales.rows[r] > 0.0)) continue;
      CouplingScales scales = at.scales;
      const ScaleAverage over = average_over_scales([&](double sigma) {
        scales.rows[r] = sigma;
        const NearbyMode near = follower_.nearby(scales, at, at.log_evidence() - kBeneathNotice);
        return near.proper ? near.log_evidence - at.log_evidence() : -INFINITY;
      });
      log_evidence += over.log_mean;
      likeliest[r] = over.likeliest;
    }
    return {log_evidence, likeliest};
  }

  // Sets with one row fewer, and on with the best of them if it is better.
  void let_go(CoupledMode& at, double& log_weight) {
    if (wrong_rows(at.scales.rows) < 3) return;  // the others were where this set came from
    const double base = log_evidence_of(at);
    std::vector<double> better;
    double best = log_weight;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (!(at.scales.rows[r] > 0.0)) continue;
      CouplingScales scales = at.scales;
      scales.rows[r] = 0.0;
      const NearbyMode near = follower_.nearby(scales, at, at.log_evidence() - kBeneathNotice);
      if (!near.proper) continue;
      keep(scales.rows, base + near.log_evidence - at.log_evidence(), false);
      if (weight_of(scales.rows) <= best) continue;
      best = weight_of(scales.rows);
      better = scales.rows;
    }
    if (better.empty()) return;
    CoupledMode fewer = look_at(better, at);
    if (!fewer.mode.proper || weight_of(better) <= log_weight) return;
    log_weight = weight_of(better);
    best_ = at = std::move(fewer);
  }

  ModeFollower& follower_;
  const DecisionProblem& problem_;
  const Sink& sink_;
  base::Steps& steps_;
  std::size_t rows_;
  std::map<Key, RowHypothesis> met_;
  std::map<Key, bool> looked_at_;
  CoupledMode best_;
};

}  // namespace

double log_prior_of_rows(int wrong, int rows) {
  // Σ kOneMore^(k−1), k from 1 to rows
  const double log_total = std::log((1.0 - std::pow(kOneMore, rows)) / (1.0 - kOneMore));
  const double log_sets =
      std::lgamma(rows + 1.0) - std::lgamma(wrong + 1.0) - std::lgamma(rows - wrong + 1.0);
  return (wrong - 1) * std::log(kOneMore) - log_total - log_sets;
}

double prior_of_row(int rows) {
  double wrong = 0.0;  // expected
  double weight = 1.0;
  double total = 0.0;
  for (int k = 1; k <= rows; ++k, weight *= kOneMore) {
    wrong += k * weight;
    total += weight;
  }
  return wrong / total / rows;
}

RowSearchResult search_rows(ModeFollower& follower, const DecisionProblem& problem,
                            const CoupledMode& together, const Sink& sink, base::Steps& steps) {
  return RowSearch(follower, problem, sink, steps).run(together);
}

std::size_t looks_at_rows(const DecisionProblem& problem) {
  const std::size_t rows = rows_of(problem);
  return rows < 2 ? 0 : static_cast<std::size_t>(most_wrong(rows)) * kLookedAt;
}

}  // namespace interpole::learn
