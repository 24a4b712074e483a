#include "interpole/learn/terms/term_screen.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/optimize/hessian.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Shape = TermCandidate::Shape;

constexpr double kUnitScale = 1.0;                // τ while the data's say is looked at; taken away again
constexpr double kLeastScreenedCurvature = 1e-3;  // as in the expansion at a mode
constexpr double kNear = 0.01;                    // shares at which slope and bend are taken …
constexpr double kFar = 0.03;  // … since at zero itself a share that few need has neither
constexpr int kSharePoints = 200;

Matrix inverse_of(const Matrix& symmetric) {
  if (symmetric.size() == 0) return symmetric;  // everything is known
  const auto solver = optimize::symmetric_eigen(symmetric);
  const Vector values = solver.values.cwiseMax(kLeastScreenedCurvature).cwiseInverse();
  return solver.vectors * values.asDiagonal() * solver.vectors.transpose();
}

// The problem with all candidates that have weights, expanded where their weights are zero.
class Expansion {
 public:
  Expansion(const inference::Likelihood& likelihood, const DecisionProblem& problem, DynamicsMode dynamics,
            const Parameters& at, const std::vector<TermCandidate>& candidates) {
    DecisionProblem wider = problem;
    for (const TermCandidate& candidate : candidates) {
      if (candidate.has_weights()) add_term(candidate, kUnitScale, wider);
    }
    const StudySpace space(wider, dynamics);
    LogPosterior posterior(likelihood, wider, space, dynamics, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates({with_terms_of(wider, at), {}}, y);
    std::vector<double> gradient(y.size());
    posterior.evaluate(y, gradient);
    const auto n = static_cast<Eigen::Index>(y.size());
    const auto flat = optimize::hessian(posterior, y);
    find_columns(candidates, wider, dynamics, static_cast<int>(n));
    take_apart(-Eigen::Map<const Matrix>(flat.data(), n, n), Eigen::Map<const Vector>(gradient.data(), n));
  }

  // Of the candidates' weights, all that is learned already being integrated out.
  TermScale of_weights(int block) const {
    const auto [begin, size] = blocks_[block];
    if (size == 0) return {kUnitScale, -INFINITY};  // nothing to learn
    const Matrix across = across_.middleRows(begin, size);
    Matrix precision = within_.block(begin, begin, size, size) - across * inverse_ * across.transpose();
    precision.diagonal().array() -= 1.0 / (kUnitScale * kUnitScale);
    return best_scale(precision, score_.segment(begin, size));
  }

  const Matrix& inverse() const { return inverse_; }
  bool finite() const { return inverse_.allFinite() && within_.allFinite() && across_.allFinite(); }

 private:
  // Which coordinates are new.
  void find_columns(const std::vector<TermCandidate>& candidates, const DecisionProblem& wider,
                    DynamicsMode dynamics, int n) {
    std::vector<bool> is_new(n, false);
    for (const TermCandidate& candidate : candidates) {
      if (!candidate.has_weights()) continue;
      const auto [begin, size] = columns_of_term(candidate, wider, dynamics);
      blocks_.emplace_back(static_cast<int>(new_.size()), size);
      for (int k = 0; k < size; ++k) {
        new_.push_back(begin + k);
        is_new[new_.back()] = true;
      }
    }
    for (int i = 0; i < n; ++i) {
      if (!is_new[i]) old_.push_back(i);
    }
  }

  void take_apart(const Matrix& bend, const Vector& gradient) {
    inverse_ = inverse_of(bend(old_, old_));
    within_ = bend(new_, new_);
    across_ = bend(new_, old_);
    score_ = gradient(new_);
  }

  std::vector<int> old_, new_;
  std::vector<std::pair<int, int>> blocks_;  // of each candidate with weights: where among the new, how many
  Matrix inverse_, within_, across_;
  Vector score_;
};

// Slope of the log-likelihood by a share, and by what is learned already, with the share at some value.
struct Slopes {
  double share = 0.0;
  Vector learned;
};

Slopes slopes_at(const inference::Likelihood& likelihood, const StudySpace& space, DynamicsMode dynamics,
                 Parameters at, Shape shape, double value) {
  (shape == Shape::kInertia ? at.policy.terms.inertia : at.policy.terms.lapse) = value;
  Parameters gradient = Parameters::filled(likelihood.structure(), 0.0);
  auto workspace = likelihood.make_workspace();
  likelihood.evaluate(at, terms_of(dynamics), &gradient, workspace);
  std::vector<double> d_y(space.size(), 0.0);
  space.pull_back(at, gradient, d_y);
  const PolicyTerms& terms = gradient.policy.terms;
  return {shape == Shape::kInertia ? terms.inertia : terms.lapse,
          Eigen::Map<const Vector>(d_y.data(), static_cast<Eigen::Index>(d_y.size()))};
}

// The evidence of a share ρ ~ Beta(1, b) with log-likelihood slope·ρ − ½ bend·ρ².
double log_ratio_of_share(double slope, double bend, double b) {
  std::vector<double> logs;
  logs.reserve(kSharePoints);
  for (int i = 0; i < kSharePoints; ++i) {
    const double share = (i + 0.5) / kSharePoints;
    logs.push_back(std::log(b / kSharePoints) + (b - 1.0) * std::log1p(-share) + slope * share -
                   0.5 * bend * share * share);
  }
  return log_sum(logs);
}

}  // namespace

TermColumns columns_of_term(const TermCandidate& candidate, const DecisionProblem& problem,
                            DynamicsMode dynamics) {
  const StudySpace space(problem, dynamics);
  const int place = place_of_term(candidate, problem);
  if (candidate.shape == Shape::kStart) {
    for (const auto& block : space.dynamics().start_blocks()) {
      if (block.term == place)
        return {space.size() - space.dynamics().start_size() + block.offset, block.size};
    }
    return {};
  }
  const model::TermSpace& terms = space.policy().terms();
  for (const auto& block : terms.blocks()) {
    if (block.term == place) return {space.policy().size() - terms.size() + block.offset, block.size};
  }
  return {};
}

std::vector<TermScale> screen_terms(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                                    DynamicsMode dynamics, const Parameters& at,
                                    const std::vector<TermCandidate>& candidates) {
  std::vector<TermScale> result(candidates.size(), {kUnitScale, INFINITY});
  const Expansion expansion(likelihood, problem, dynamics, at, candidates);
  if (!expansion.finite()) return result;  // everything has to be looked at
  const StudySpace space(problem, dynamics);
  int block = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Shape shape = candidates[i].shape;
    if (candidates[i].has_weights()) {
      result[i] = expansion.of_weights(block++);
      continue;
    }
    const Slopes near = slopes_at(likelihood, space, dynamics, at, shape, kNear);
    const Slopes far = slopes_at(likelihood, space, dynamics, at, shape, kFar);
    const Vector across = (far.learned - near.learned) / (kFar - kNear);
    const double bend = (near.share - far.share) / (kFar - kNear) - across.dot(expansion.inverse() * across);
    result[i].log_ratio =
        log_ratio_of_share(near.share + kNear * bend, std::max(bend, 0.0), problem.priors.belief_share);
  }
  return result;
}

}  // namespace interpole::learn
