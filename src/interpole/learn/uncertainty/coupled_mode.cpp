#include "interpole/learn/uncertainty/coupled_mode.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/learn/uncertainty/laplace.hpp"
#include "interpole/optimize/normal_fit.hpp"
#include "interpole/optimize/second_order/search.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostNewtonSteps = 12;
constexpr double kLongestNewtonStep = 1.0;  // of a coordinate
constexpr double kSmallGain = 1e-5;         // nats: a step not worth taking
constexpr double kSettledGain = 0.01;       // nats: the mode is where the likelihood was expanded
constexpr int kMostExpansions = 4;
constexpr double kFarOff = 0.2;  // nats: the density is not what the expansion foresees
// … and so far that second derivatives will not be either.
constexpr double kElsewhere = 2.0;
// A climb in round coordinates: what is left to gain is half the square of the gradient.
constexpr optimize::LbfgsOptions kShortClimb = {
    .most_iterations = 100, .memory = 20, .gradient_tolerance = 0.03, .slow_tolerance = 1e-9};

Eigen::Map<const VectorXd> vector_of(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

Eigen::Map<const MatrixXd> square(const std::vector<double>& x) {
  const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(x.size()))));
  return {x.data(), n, n};
}

// Log-prior plus the quadratic of the log-likelihood.
class ExpandedPosterior {
 public:
  ExpandedPosterior(CoupledPosterior& posterior, const LikelihoodExpansion& expansion)
      : posterior_(posterior),
        expansion_(expansion),
        bend_of_data_(square(posterior.bend_of_likelihood(expansion))) {}

  double evaluate(const VectorXd& y, VectorXd& gradient) {
    const auto n = static_cast<std::size_t>(y.size());
    std::vector<double> z(n);
    posterior_.space().joint_coordinates({y.data(), n}, z);
    const VectorXd step = vector_of(z) - vector_of(expansion_.at);
    const VectorXd pulled = square(expansion_.bend) * step;
    const VectorXd slope = vector_of(expansion_.gradient) - pulled;
    gradient.resize(y.size());
    const double prior = posterior_.evaluate_prior({y.data(), n}, {gradient.data(), n});
    posterior_.space().joint_pull_back({slope.data(), n}, z);
    gradient += vector_of(z);
    return prior + expansion_.value + vector_of(expansion_.gradient).dot(step) - 0.5 * step.dot(pulled);
  }

  MatrixXd bend(const VectorXd& y) {
    const auto n = static_cast<std::size_t>(y.size());
    return bend_of_data_ - square(posterior_.prior_hessian({y.data(), n}));
  }

 private:
  CoupledPosterior& posterior_;
  const LikelihoodExpansion& expansion_;
  MatrixXd bend_of_data_;
};

// By Laplace, of a top so high and so bent.
double log_evidence_at(double log_density, std::size_t size, double log_determinant) {
  return log_density + 0.5 * static_cast<double>(size) * std::log(2.0 * std::numbers::pi) -
         0.5 * log_determinant;
}

// From where an expansion foresees the top on to where it is, in coordinates in which the expansion is round:
// a dozen evaluations or two, where expanding anew takes 2n. Returns the density there.
double climb_on(CoupledPosterior& posterior, const NearbyMode& foreseen, std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(foreseen.y.size());
  y = foreseen.y;
  const auto covariance = optimize::definite_solve(square(foreseen.bend), MatrixXd::Identity(n, n));
  if (!covariance) return -INFINITY;
  optimize::WhitenedObjective round(
      posterior, {foreseen.y, {covariance->data(), covariance->data() + covariance->size()}, 0.0});
  std::vector<double> z(foreseen.y.size(), 0.0);
  const double value = optimize::maximise_lbfgs(round, z, kShortClimb).value;
  const auto place = round.place(z);
  y.assign(place.begin(), place.end());
  return value;
}

}  // namespace

NearbyMode mode_nearby(CoupledPosterior& posterior, const LikelihoodExpansion& expansion) {
  NearbyMode result;
  const auto n = static_cast<std::size_t>(posterior.size());
  result.y.resize(n);
  posterior.space().from_joint_coordinates(expansion.at, result.y);
  if (!std::isfinite(expansion.value) || !vector_of(expansion.bend).allFinite()) return result;
  ExpandedPosterior expanded(posterior, expansion);
  VectorXd y = vector_of(result.y);
  VectorXd gradient, gradient_there;
  double value = expanded.evaluate(y, gradient);
  if (n == 0) {  // everything is known
    result.log_density = result.log_evidence = value;
    result.proper = true;
    return result;
  }
  const double first = value;
  MatrixXd bend;
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    bend = expanded.bend(y);
    const auto solved = optimize::definite_solve(bend, gradient);
    if (!solved) return result;
    const VectorXd step = *solved;
    double length = std::min(1.0, kLongestNewtonStep / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
    const double promise = gradient.dot(step) * length * (1.0 - 0.5 * length);
    if (promise < kSmallGain) break;
    double there = -INFINITY;
    for (; length > 1e-3; length *= 0.5) {
      there = expanded.evaluate(y + length * step, gradient_there);
      if (there > value) break;
    }
    if (!(there > value)) break;
    y += length * step;
    value = there;
    gradient = gradient_there;
  }
  result.y.assign(y.begin(), y.end());
  result.log_density = value;
  result.gain = value - first;
  const auto log_determinant = optimize::definite_log_determinant(bend);
  if (!log_determinant) return result;
  result.log_evidence = log_evidence_at(value, n, *log_determinant);
  result.bend.assign(bend.data(), bend.data() + bend.size());
  result.proper = true;
  return result;
}

CoupledMode ModeFollower::searched(CoupledPosterior& posterior, const CouplingScales& scales,
                                   std::vector<double> y) {
  if (!y.empty()) optimize::maximise(posterior, y, options_);
  CoupledMode result{scales, posterior.agent_world(y), posterior.expand_likelihood(y), {}};
  ++expansions_;
  result.mode = mode_nearby(posterior, result.expansion);
  if (result.mode.proper) {
    result.at = posterior.agent_world(result.mode.y);
    return result;
  }
  const Laplace expansion = laplace(posterior, y, options_);  // floors what is not the curvature of a maximum
  result.mode.y = expansion.centre;
  result.mode.log_density = expansion.log_density;
  result.mode.log_evidence = expansion.log_evidence;
  return result;
}

CoupledMode ModeFollower::search(const CouplingScales& scales, const AgentWorld& start) {
  CoupledPosterior posterior(likelihood_, problem_, {scales, false}, Measure::kCoordinates, &normalisers_);
  std::vector<double> y(posterior.size());
  posterior.coordinates(start, y);
  return searched(posterior, scales, std::move(y));
}

CoupledMode ModeFollower::follow(const CouplingScales& scales, const CoupledMode& from) {
  CoupledPosterior posterior(likelihood_, problem_, {scales, false}, Measure::kCoordinates, &normalisers_);
  const NearbyMode foreseen = mode_nearby(posterior, from.expansion);
  std::vector<double> y(posterior.size());
  if (!foreseen.proper || !std::isfinite(climb_on(posterior, foreseen, y))) posterior.coordinates(from.at, y);
  double before = -INFINITY;
  for (int i = 0; i < kMostExpansions; ++i) {
    CoupledMode result{scales, {}, posterior.expand_likelihood(y), {}};
    ++expansions_;
    result.mode = mode_nearby(posterior, result.expansion);
    const double here = result.mode.log_density - result.mode.gain;  // at y
    if (!result.mode.proper || !(here > before - kSettledGain)) break;
    if (result.mode.gain < kSettledGain) {
      result.at = posterior.agent_world(result.mode.y);
      return result;
    }
    before = here;
    climb_on(posterior, result.mode, y);
  }
  return searched(posterior, scales, std::move(y));
}

NearbyMode ModeFollower::nearby(const CouplingScales& scales, const CoupledMode& from, double floor) {
  CoupledPosterior posterior(likelihood_, problem_, {scales, false}, Measure::kCoordinates, &normalisers_);
  NearbyMode mode = mode_nearby(posterior, from.expansion);
  if (!mode.proper) return follow(scales, from).mode;
  std::vector<double> gradient(mode.y.size());
  const double off = posterior.evaluate(mode.y, gradient) - mode.log_density;
  if (std::abs(off) < kFarOff) {
    mode.log_density += off;
    mode.log_evidence += off;
    return mode;
  }
  std::vector<double> y;
  const double top = climb_on(posterior, mode, y);
  const auto log_determinant =
      optimize::definite_log_determinant(ExpandedPosterior(posterior, from.expansion).bend(vector_of(y)));
  const double far = std::abs(top - mode.log_density);
  mode.log_evidence = log_determinant ? log_evidence_at(top, y.size(), *log_determinant)
                                      : mode.log_evidence - mode.log_density + top;
  if (mode.log_evidence > floor && (!log_determinant || !(far < kElsewhere)))
    return follow(scales, from).mode;
  mode.log_density = top;
  mode.y = std::move(y);
  return mode;
}

}  // namespace interpole::learn
