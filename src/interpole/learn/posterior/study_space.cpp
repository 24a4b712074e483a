#include "interpole/learn/posterior/study_space.hpp"

#include "interpole/learn/posterior/log_prior.hpp"

namespace interpole::learn {

StudySpace::StudySpace(const DecisionProblem& problem, DynamicsMode mode)
    : policy_(problem.structure, problem.known.policy),
      dynamics_(problem.structure,
                mode == DynamicsMode::kShared ? problem.known_world() : problem.known.dynamics,
                problem.ties) {}

Parameters StudySpace::point(std::span<const double> y) const {
  return {dynamics_.point(dynamics_part(y)), policy_.point(policy_part(y))};
}

void StudySpace::point(std::span<const double> y, Parameters& parameters) const {
  policy_.point(policy_part(y), parameters.policy);
  dynamics_.point(dynamics_part(y), parameters.dynamics);
}

void StudySpace::coordinates(const Parameters& parameters, std::span<double> y) const {
  policy_.coordinates(parameters.policy, policy_part(y));
  dynamics_.coordinates(parameters.dynamics, dynamics_part(y));
}

void StudySpace::pull_back(const Parameters& at, const Parameters& gradient, std::span<double> d_y) const {
  policy_.pull_back(at.policy, gradient.policy, policy_part(d_y));
  dynamics_.pull_back(at.dynamics, gradient.dynamics, dynamics_part(d_y));
}

double StudySpace::log_prior(const Priors& priors, const Parameters& at, std::span<const double> y,
                             std::span<double> d_y, Measure measure) const {
  double value = interpole::learn::log_prior(policy_, priors, policy_part(y), policy_part(d_y)) +
                 interpole::learn::log_prior(dynamics_, priors, at.dynamics, dynamics_part(d_y));
  if (measure == Measure::kCoordinates) {
    value += policy_.log_jacobian(at.policy, policy_part(d_y)) +
             dynamics_.log_jacobian(at.dynamics, dynamics_part(d_y));
  }
  return value;
}

}  // namespace interpole::learn
