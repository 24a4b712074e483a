// Where a point of the coordinate space stands for parameters: [policy | dynamics]. Shared by all objectives
// of one study.
#pragma once

#include <span>

#include "interpole/learn/posterior/explained_terms.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/problem.hpp"

namespace interpole::learn {

// Which measure a posterior's density is taken in. The mode depends on it, probabilities do not.
enum class Measure {
  kNatural,      // density of the natural parameters, as in the paper: what a best fit maximises
  kCoordinates,  // density of the coordinates (with the Jacobian): what evidence and sampling integrate
};

class StudySpace {
 public:
  // What a study knows of the world is known of shared dynamics too.
  explicit StudySpace(const DecisionProblem& problem, DynamicsMode mode = DynamicsMode::kShared);

  int size() const { return policy_.size() + dynamics_.size(); }
  const model::PolicySpace& policy() const { return policy_; }
  const model::DynamicsSpace& dynamics() const { return dynamics_; }

  std::span<const double> policy_part(std::span<const double> y) const { return y.first(policy_.size()); }
  std::span<const double> dynamics_part(std::span<const double> y) const { return y.subspan(policy_.size()); }
  std::span<double> policy_part(std::span<double> y) const { return y.first(policy_.size()); }
  std::span<double> dynamics_part(std::span<double> y) const { return y.subspan(policy_.size()); }

  Parameters point(std::span<const double> y) const;
  void point(std::span<const double> y, Parameters& parameters) const;
  void coordinates(const Parameters& parameters, std::span<double> y) const;
  void pull_back(const Parameters& at, const Parameters& gradient, std::span<double> d_y) const;
  double log_prior(const Priors& priors, const Parameters& at, std::span<const double> y,
                   std::span<double> d_y, Measure measure = Measure::kNatural) const;

 private:
  model::PolicySpace policy_;
  model::DynamicsSpace dynamics_;
};

}  // namespace interpole::learn
