// The posterior with one set of dynamics: log p(D|θ) + log p(θ) in the coordinates [policy | dynamics], with
// its exact gradient. Shared dynamics explain actions and observations, subjective ones the actions alone.
#pragma once

#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

class LogPosterior : public Posterior {
 public:
  // Keeps references to likelihood and study.
  LogPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem, StudySpace space,
               DynamicsMode mode, Measure measure = Measure::kNatural);

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;
  double evaluate_prior(std::span<const double> y, std::span<double> gradient) override;
  AgentWorld agent_world(std::span<const double> y) const override { return {space_.point(y), {}}; }
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const override {
    space_.coordinates(agent_world.agent, y);
  }
  std::vector<std::string> names() const override;
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return log_prior_; }

 private:
  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  StudySpace space_;
  inference::LikelihoodTerms terms_;
  Measure measure_;
  inference::LikelihoodWorkspace workspace_;
  Parameters parameters_;
  Parameters gradient_;
  inference::LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole::learn
