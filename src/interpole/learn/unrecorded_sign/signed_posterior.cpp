#include "interpole/learn/unrecorded_sign/signed_posterior.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {
namespace {

void add(const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

SignedPosterior::SignedPosterior(inference::SignedLikelihood& likelihood, const DecisionProblem& problem,
                                 double right)
    : likelihood_(likelihood),
      problem_(problem),
      right_(right),
      space_(problem),
      parameters_(space_.point(std::vector<double>(space_.size(), 0.0))) {}

double SignedPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  value_.observations =
      likelihood_.evaluate(parameters_, parameters_.dynamics, right_, gradient_, world_gradient_);
  if (!std::isfinite(value_.observations)) return -INFINITY;
  add(world_gradient_.initial, gradient_.dynamics.initial);
  add(world_gradient_.transition, gradient_.dynamics.transition);
  add(world_gradient_.observation, gradient_.dynamics.observation);
  log_prior_ = space_.log_prior(problem_.priors, parameters_, y, gradient, Measure::kCoordinates);
  space_.pull_back(parameters_, gradient_, gradient);
  return value_.observations + log_prior_;
}

double SignedPosterior::evaluate_prior(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  return space_.log_prior(problem_.priors, parameters_, y, gradient, Measure::kCoordinates);
}

std::vector<std::string> SignedPosterior::names() const {
  std::vector<std::string> names = space_.policy().names();
  model::append_names(space_.dynamics().blocks(), "", names);
  return names;
}

}  // namespace interpole::learn
