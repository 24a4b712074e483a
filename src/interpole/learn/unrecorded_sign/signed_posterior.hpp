// The posterior of one set of dynamics whose agent sees a sign that was not recorded
// (inference/unrecorded_sign): coordinates and priors of shared dynamics, another likelihood.
#pragma once

#include "interpole/inference/unrecorded_sign/signed_likelihood.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

class SignedPosterior : public Posterior {
 public:
  // Keeps references to likelihood and problem. `right`: how often the sign is right.
  SignedPosterior(inference::SignedLikelihood& likelihood, const DecisionProblem& problem, double right);

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;
  double evaluate_prior(std::span<const double> y, std::span<double> gradient) override;
  AgentWorld agent_world(std::span<const double> y) const override { return {space_.point(y), {}}; }
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const override {
    space_.coordinates(agent_world.agent, y);
  }
  std::vector<std::string> names() const override;
  // Decisions and results are not apart: all of it is in `observations`.
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return log_prior_; }

 private:
  inference::SignedLikelihood& likelihood_;
  const DecisionProblem& problem_;
  double right_;
  StudySpace space_;
  Parameters parameters_, gradient_;
  Dynamics world_gradient_;
  inference::LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole::learn
