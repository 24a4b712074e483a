// The posterior with two sets of dynamics, the world's and the agent's, tied by the coupling:
//
//   Σ log π(a|b[agent]) + Σ log c[world] + log p(policy) + log p(world) + log p(gaps)
//
// Two passes over one tree, each for its own terms; exact gradient.
#pragma once

#include "interpole/learn/posterior/coupling_prior.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

// The log-likelihood near a point of [policy | world | agent] (CoupledSpace::joint_coordinates). No coupling
// is in it.
struct LikelihoodExpansion {
  std::vector<double> at;
  double value = 0.0;
  std::vector<double> gradient;
  std::vector<double> bend;  // −∇², n × n: the world's rows are apart from the others
};

class CoupledPosterior : public Posterior {
 public:
  // Keeps references to likelihood and study. `normalisers` (may be null) are only needed to make it.
  CoupledPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                   const Coupling& coupling, Measure measure = Measure::kNatural,
                   TiltNormalisers* normalisers = nullptr);
  CoupledPosterior(const CoupledPosterior&) = delete;

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;
  double evaluate_prior(std::span<const double> y, std::span<double> gradient) override;
  std::vector<double> second_derivatives(std::span<const double> y,
                                         const std::function<bool()>& stop) override;
  AgentWorld agent_world(std::span<const double> y) const override {
    return {space_.agent_point(y), space_.world_point(y)};
  }
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const override;
  std::vector<std::string> names() const override;
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return log_prior_; }

  // Differences of exact gradients, decisions and outcomes apart: half of what the Hessian of the posterior
  // as a whole would cost. Not finite where the data are impossible within a step.
  LikelihoodExpansion expand_likelihood(std::span<const double> y);
  // The bend of an expansion by this posterior's coordinates, n × n.
  std::vector<double> bend_of_likelihood(const LikelihoodExpansion& expansion) const;
  // Of the log-prior alone, n × n.
  std::vector<double> prior_hessian(std::span<const double> y);

  const CoupledSpace& space() const { return space_; }
  const CouplingPrior& coupling_prior() const { return prior_; }

 private:
  void set_point(std::span<const double> y);
  double add_prior(std::span<const double> y, std::span<double> gradient);

  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  CoupledSpace space_;
  CouplingPrior prior_;
  Measure measure_;
  bool integrated_;  // σ: the prior then sees all rows of a kind together
  inference::LikelihoodWorkspace workspace_;
  Parameters agent_, world_;  // the world's policy is the agent's: no term of its depends on it
  Parameters agent_gradient_, world_gradient_;
  std::vector<double> agent_y_, d_agent_;
  inference::LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole::learn
