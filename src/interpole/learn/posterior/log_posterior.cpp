#include "interpole/learn/posterior/log_posterior.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {

LogPosterior::LogPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                           StudySpace space, DynamicsMode mode, Measure measure)
    : likelihood_(likelihood),
      problem_(problem),
      space_(std::move(space)),
      terms_(terms_of(mode)),
      measure_(measure),
      workspace_(likelihood.make_workspace()),
      parameters_(space_.point(std::vector<double>(space_.size(), 0.0))),
      gradient_(Parameters::filled(problem.structure, 0.0)) {}

double LogPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  value_ = likelihood_.evaluate(parameters_, terms_, &gradient_, workspace_);
  if (value_.impossible_node) return -INFINITY;
  log_prior_ = space_.log_prior(problem_.priors, parameters_, y, gradient, measure_);
  space_.pull_back(parameters_, gradient_, gradient);
  return value_.total() + log_prior_;
}

double LogPosterior::evaluate_prior(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  space_.point(y, parameters_);
  return space_.log_prior(problem_.priors, parameters_, y, gradient, measure_);
}

std::vector<std::string> LogPosterior::names() const {
  std::vector<std::string> names = space_.policy().names();
  space_.dynamics().append_all_names("", names);
  return names;
}

}  // namespace interpole::learn
