#include "interpole/learn/posterior/expected_log_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/inference/hidden_paths/smoothing.hpp"

namespace interpole::learn {
namespace {

// ∂Q/∂θ of the dynamics terms: expected counts over probabilities.
void add_ratio(const std::vector<double>& counts, const std::vector<double>& theta,
               std::vector<double>& gradient) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0.0) gradient[i] += counts[i] / theta[i];
  }
}

}  // namespace

ExpectedLogPosterior::ExpectedLogPosterior(const inference::Likelihood& likelihood,
                                           const DecisionProblem& problem, const StudySpace& space,
                                           DynamicsMode mode, Monitor monitor)
    : likelihood_(likelihood),
      problem_(problem),
      space_(space),
      terms_(terms_of(mode)),
      monitor_(monitor),
      workspace_(likelihood.make_workspace()),
      parameters_(space.point(std::vector<double>(space.size(), 0.0))),
      gradient_(Parameters::filled(problem.structure, 0.0)) {}

double ExpectedLogPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  const auto actions =
      likelihood_.evaluate(parameters_, {.actions = true, .observations = false}, &gradient_, workspace_);
  if (actions.impossible_node) return -INFINITY;
  double value = actions.actions;
  if (terms_.observations) {
    const inference::SmoothedCounts counts =
        inference::smooth(likelihood_.tree(), problem_.structure, parameters_.dynamics);
    add_ratio(counts.expected.initial, parameters_.dynamics.initial, gradient_.dynamics.initial);
    add_ratio(counts.expected.transition, parameters_.dynamics.transition, gradient_.dynamics.transition);
    add_ratio(counts.expected.observation, parameters_.dynamics.observation, gradient_.dynamics.observation);
    value +=
        monitor_ == Monitor::kExpected
            ? inference::expected_log_dynamics(counts, parameters_.dynamics)
            : likelihood_.evaluate(parameters_, {.actions = false, .observations = true}, nullptr, workspace_)
                  .observations;
  }
  value += space_.log_prior(problem_.priors, parameters_, y, gradient);
  space_.pull_back(parameters_, gradient_, gradient);
  return value;
}

}  // namespace interpole::learn
