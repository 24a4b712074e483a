// The objective of learning: log p(D|θ) + log p(θ), in unconstrained coordinates, with its exact gradient.
//
// Which dynamics answer for what is the one choice here:
//   shared      one set of dynamics explains both actions and observations (the paper)
//   subjective  the agent's dynamics explain the actions; observations are not explained
// Coordinates: [policy | agent's dynamics].
#pragma once

#include <memory>
#include <span>
#include <string>

#include "interpole/data/study.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole {

enum class DynamicsMode { kShared, kSubjective };

DynamicsMode dynamics_mode_named(const std::string& name);  // usage error naming the known ones
std::string name_of(DynamicsMode mode);
LikelihoodTerms terms_of(DynamicsMode mode);

// Where a point of the coordinate space stands for parameters. Shared by all objectives of one study.
class StudySpace {
 public:
  explicit StudySpace(const Study& study);

  int size() const { return policy_.size() + dynamics_.size(); }
  const PolicySpace& policy() const { return policy_; }
  const DynamicsSpace& dynamics() const { return dynamics_; }

  std::span<const double> policy_part(std::span<const double> y) const { return y.first(policy_.size()); }
  std::span<const double> dynamics_part(std::span<const double> y) const { return y.subspan(policy_.size()); }
  std::span<double> policy_part(std::span<double> y) const { return y.first(policy_.size()); }
  std::span<double> dynamics_part(std::span<double> y) const { return y.subspan(policy_.size()); }

  Parameters point(std::span<const double> y) const;
  void point(std::span<const double> y, Parameters& parameters) const;
  void coordinates(const Parameters& parameters, std::span<double> y) const;
  void pull_back(const Parameters& at, const Parameters& gradient, std::span<double> d_y) const;
  double log_prior(const Priors& priors, const Parameters& at, std::span<const double> y,
                   std::span<double> d_y) const;

 private:
  PolicySpace policy_;
  DynamicsSpace dynamics_;
};

class LogPosterior : public Objective {
 public:
  // Keeps references to all three.
  LogPosterior(const Likelihood& likelihood, const Study& study, const StudySpace& space, DynamicsMode mode);

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;

  // Of the last evaluation.
  const LikelihoodValue& likelihood_value() const { return value_; }
  double log_prior_value() const { return log_prior_; }

 private:
  const Likelihood& likelihood_;
  const Study& study_;
  const StudySpace& space_;
  LikelihoodTerms terms_;
  LikelihoodWorkspace workspace_;
  Parameters parameters_;
  Parameters gradient_;
  LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole
