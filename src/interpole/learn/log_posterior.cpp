#include "interpole/learn/log_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/error.hpp"
#include "interpole/learn/log_prior.hpp"

namespace interpole {

DynamicsMode dynamics_mode_named(const std::string& name) {
  if (name == "shared") return DynamicsMode::kShared;
  if (name == "subjective") return DynamicsMode::kSubjective;
  throw usage_error(fmt::format("--dynamics: \"{}\" is not known; choose shared or subjective", name));
}

std::string name_of(DynamicsMode mode) {
  return mode == DynamicsMode::kShared ? "shared" : "subjective";
}

LikelihoodTerms terms_of(DynamicsMode mode) {
  return {.actions = true, .observations = mode == DynamicsMode::kShared};
}

StudySpace::StudySpace(const Study& study)
    : policy_(study.structure, study.known.policy), dynamics_(study.structure, study.known.dynamics) {}

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
                             std::span<double> d_y) const {
  return interpole::log_prior(policy_, priors, policy_part(y), policy_part(d_y)) +
         interpole::log_prior(dynamics_, priors, at.dynamics, dynamics_part(d_y));
}

LogPosterior::LogPosterior(const Likelihood& likelihood, const Study& study, const StudySpace& space,
                           DynamicsMode mode)
    : likelihood_(likelihood),
      study_(study),
      space_(space),
      terms_(terms_of(mode)),
      workspace_(likelihood.make_workspace()),
      parameters_(space.point(std::vector<double>(space.size(), 0.0))),
      gradient_(Parameters::filled(study.structure, 0.0)) {}

double LogPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  value_ = likelihood_.evaluate(parameters_, terms_, &gradient_, workspace_);
  if (value_.impossible_node) return -INFINITY;
  log_prior_ = space_.log_prior(study_.priors, parameters_, y, gradient);
  space_.pull_back(parameters_, gradient_, gradient);
  return value_.total() + log_prior_;
}

}  // namespace interpole
