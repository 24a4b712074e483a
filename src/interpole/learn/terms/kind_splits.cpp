#include "interpole/learn/terms/kind_splits.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/kind_paths.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

constexpr double kNoInformation = 1e-9;  // of the largest eigenvalue
constexpr int kMostSplits = 3;

// Scores and information of every decision that was, or could have been, taken.
class DecisionScores {
 public:
  DecisionScores(const HistoryTree& tree, const DecisionProblem& problem, const Parameters& at)
      : structure_(problem.structure),
        at_(at),
        inner_(at.policy),
        space_(structure_, {problem.known.policy.inverse_temperature, problem.known.policy.means}),
        cells_(inference::decision_cells(tree)),
        paths_(inference::kind_paths(tree, cells_)),
        makers_(inference::decision_makers(tree, problem.known.policy.decision_maker)),
        beliefs_(inference::node_beliefs(tree, structure_, at.dynamics)),
        A_(structure_.actions.size()) {
    if (size() == 0 || cells_.size() == 0) return;
    inner_.terms.inertia = inner_.terms.lapse = 0.0;
    set_jacobian();
    scores_.resize(static_cast<Eigen::Index>(cells_.size() * A_), size());
    chance_.resize(cells_.size() * A_);
    for (int i = 0; i < cells_.size(); ++i) set_scores(i);
    number_units();
  }

  int size() const { return space_.size(); }
  double units() const { return static_cast<double>(weight_.size()); }
  const std::vector<double>& weights() const { return weight_; }

  // Σ over decisions of the variance of their scores.
  Eigen::MatrixXd information() const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size(), size());
    for (int i = 0; i < cells_.size(); ++i) {
      double decisions = 0.0;
      for (std::size_t a = 0; a < A_; ++a) decisions += cells_.counts[i * A_ + a];
      for (std::size_t a = 0; a < A_; ++a) {
        const auto row = scores_.row(static_cast<Eigen::Index>(i * A_ + a));
        sum += decisions * chance_[i * A_ + a] * row.transpose() * row;
      }
    }
    return sum;
  }

  // By decision-maker (or record): the sum of their scores along a direction …
  std::vector<double> score_sums(const Eigen::VectorXd& direction) const {
    const Eigen::VectorXd along = scores_ * direction;
    return unit_sums([&](std::size_t entry) { return along[static_cast<Eigen::Index>(entry)]; });
  }

  // … and of their variances.
  std::vector<double> variance_sums(const Eigen::VectorXd& direction) const {
    const Eigen::VectorXd along = scores_ * direction;
    std::vector<double> variance(cells_.size(), 0.0);
    for (std::size_t entry = 0; entry < chance_.size(); ++entry) {
      const double x = along[static_cast<Eigen::Index>(entry)];
      variance[entry / A_] += chance_[entry] * x * x;
    }
    return unit_sums([&](std::size_t entry) { return variance[entry / A_]; });
  }

 private:
  // ∂ (η, means)/∂ coordinates, transposed: a row for each coordinate.
  void set_jacobian() {
    const auto numbers = static_cast<Eigen::Index>(at_.policy.means.size());
    jacobian_ = Eigen::MatrixXd::Zero(size(), numbers + 1);
    for (Eigen::Index i = 0; i <= numbers; ++i) {
      Policy unit = Policy::filled(structure_, 0.0);
      (i == numbers ? unit.inverse_temperature : unit.means[i]) = 1.0;
      std::vector<double> column(size(), 0.0);
      space_.pull_back(at_.policy, unit, column);
      for (int k = 0; k < size(); ++k) jacobian_(k, i) = column[k];
    }
  }

  // ∂ log π'/∂ coordinates of every action. With inertia and lapse, only the belief's share of it moves.
  void set_scores(int cell) {
    const std::size_t S = structure_.states.size();
    const auto b = beliefs_.at(cells_.node[cell]);
    const Policy& policy = at_.policy;
    const DecisionContext& context = cells_.contexts[cells_.context[cell]];
    const std::span<double> chance(&chance_[cell * A_], A_);
    action_probabilities(structure_, policy, b, context, chance);
    const auto pi = action_probabilities(structure_, inner_, b, context);
    const double keep = 1.0 - policy.terms.lapse - (context.last_action >= 0 ? policy.terms.inertia : 0.0);
    Eigen::MatrixXd natural = Eigen::MatrixXd::Zero(A_, jacobian_.cols());
    for (std::size_t k = 0; k < A_; ++k) {
      double closeness = 0.0;
      for (std::size_t s = 0; s < S; ++s) {
        const double mean = policy.means[k * S + s];
        closeness += mean * (2.0 * b[s] - mean);
        for (std::size_t a = 0; a < A_; ++a) {
          natural(a, k * S + s) =
              2.0 * policy.inverse_temperature * ((a == k ? 1.0 : 0.0) - pi[k]) * (b[s] - mean);
        }
      }
      for (std::size_t a = 0; a < A_; ++a) {
        natural(a, jacobian_.cols() - 1) += ((a == k ? 1.0 : 0.0) - pi[k]) * closeness;
      }
    }
    for (std::size_t a = 0; a < A_; ++a) natural.row(a) *= keep * pi[a] / std::max(chance[a], 1e-300);
    scores_.middleRows(static_cast<Eigen::Index>(cell * A_), A_) = natural * jacobian_.transpose();
  }

  // Those whose decisions are one's: decision-makers that are named, and for the rest records (all that took
  // the same path are alike, and counted).
  void number_units() {
    std::int32_t named = 0;
    for (const std::int32_t maker : makers_) named = std::max(named, maker + 1);
    weight_.assign(named, 1.0);
    for (std::size_t entry = 0; entry < paths_.ends.size(); ++entry) {
      if (!(paths_.ends[entry] > 0.0)) continue;
      const std::int32_t maker = makers_.empty() ? -1 : makers_[paths_.record_class[entry / A_]];
      ends_.push_back({entry, maker >= 0 ? static_cast<std::size_t>(maker) : weight_.size(),
                       maker >= 0 ? paths_.ends[entry] : 1.0});
      if (maker < 0) weight_.push_back(paths_.ends[entry]);
    }
  }

  template <class Value>
  std::vector<double> unit_sums(const Value& value) const {
    std::vector<double> before(cells_.size());
    for (int i = 0; i < cells_.size(); ++i) {
      const std::int64_t entry = paths_.before[i];
      before[i] = entry < 0 ? 0.0 : before[entry / A_] + value(entry);
    }
    std::vector<double> sums(weight_.size(), 0.0);
    for (const End& end : ends_) sums[end.unit] += end.times * (before[end.entry / A_] + value(end.entry));
    return sums;
  }

  struct End {
    std::size_t entry;
    std::size_t unit;
    double times;  // records of this path that are the unit's
  };

  const Structure& structure_;
  const Parameters& at_;
  Policy inner_;  // without what is done whatever is believed
  model::PolicySpace space_;
  inference::DecisionCells cells_;
  inference::KindPaths paths_;
  std::vector<std::int32_t> makers_;
  inference::NodeBeliefs beliefs_;
  std::size_t A_;
  Eigen::MatrixXd jacobian_, scores_;
  std::vector<double> chance_;
  std::vector<End> ends_;
  std::vector<double> weight_;  // [unit]
};

// V diag(1/√λ): in these units the information is the identity. Without what the decisions do not tell.
Eigen::MatrixXd whitening(const Eigen::MatrixXd& information) {
  const auto solver = optimize::symmetric_eigen(information);
  const double largest = std::max(solver.values.maxCoeff(), 1e-300);
  std::vector<Eigen::Index> told;
  for (Eigen::Index i = 0; i < solver.values.size(); ++i) {
    if (solver.values[i] > kNoInformation * largest) told.push_back(i);
  }
  Eigen::MatrixXd result(information.rows(), static_cast<Eigen::Index>(told.size()));
  for (std::size_t k = 0; k < told.size(); ++k) {
    result.col(static_cast<Eigen::Index>(k)) =
        solver.vectors.col(told[k]) / std::sqrt(solver.values[told[k]]);
  }
  return result;
}

// Squared sums beside the variances that chance gives them.
double deviation_along(const DecisionScores& scores, const Eigen::VectorXd& direction) {
  const auto sums = scores.score_sums(direction);
  const auto variances = scores.variance_sums(direction);
  double excess = 0.0;
  double error = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double more = sums[i] * sums[i] - variances[i];
    excess += scores.weights()[i] * more;
    error += scores.weights()[i] * more * more;
  }
  return error > 0.0 ? excess / std::sqrt(error) : 0.0;
}

}  // namespace

std::vector<KindSplit> kind_splits(const HistoryTree& tree, const DecisionProblem& problem,
                                   const Parameters& at) {
  const DecisionScores scores(tree, problem, at);
  if (scores.size() == 0 || scores.units() == 0.0) return {};
  const Eigen::MatrixXd white = whitening(scores.information());
  if (white.cols() == 0) return {};
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(white.cols(), white.cols());
  std::vector<std::vector<double>> sums;
  for (Eigen::Index j = 0; j < white.cols(); ++j) sums.push_back(scores.score_sums(white.col(j)));
  for (Eigen::Index i = 0; i < white.cols(); ++i) {
    for (Eigen::Index j = 0; j < white.cols(); ++j) {
      for (std::size_t u = 0; u < sums[i].size(); ++u) {
        squares(i, j) += scores.weights()[u] * sums[i][u] * sums[j][u];
      }
    }
  }
  const auto solver = optimize::symmetric_eigen(squares);
  double records = 0.0;
  for (const double weight : scores.weights()) records += weight;
  std::vector<KindSplit> splits;
  for (Eigen::Index k = white.cols(); k-- > 0 && static_cast<int>(splits.size()) < kMostSplits;) {
    const Eigen::VectorXd direction = white * solver.vectors.col(k) * std::sqrt(records);
    splits.push_back({{direction.begin(), direction.end()}, deviation_along(scores, direction)});
  }
  std::stable_sort(splits.begin(), splits.end(),
                   [](const KindSplit& x, const KindSplit& y) { return x.deviation > y.deviation; });
  return splits;
}

}  // namespace interpole::learn
