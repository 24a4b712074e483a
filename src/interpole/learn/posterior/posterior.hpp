// A log-posterior over coordinates, whatever it explains with which dynamics: what is maximised, expanded and
// sampled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpole/agent_world.hpp"
#include "interpole/learn/posterior/coupling.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole::learn {

class Posterior : public optimize::Objective {
 public:
  virtual AgentWorld agent_world(std::span<const double> y) const = 0;
  // The coordinates of an explanation; a missing world is taken to be the agent's.
  virtual void coordinates(const AgentWorld& agent_world, std::span<double> y) const = 0;
  // Of every coordinate: the row of parameters it belongs to.
  virtual std::vector<std::string> names() const = 0;
  // log p(y) alone and its gradient (overwritten).
  virtual double evaluate_prior(std::span<const double> y, std::span<double> gradient) = 0;

  // Of the last evaluation.
  virtual const inference::LikelihoodValue& likelihood_value() const = 0;
  virtual double log_prior_value() const = 0;
};

// A posterior's prior as an objective of its own.
class PriorAlone : public optimize::Objective {
 public:
  explicit PriorAlone(Posterior& posterior) : posterior_(posterior) {}
  int size() const override { return posterior_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    return posterior_.evaluate_prior(x, gradient);
  }

 private:
  Posterior& posterior_;
};

struct PosteriorOptions {
  DynamicsMode dynamics = DynamicsMode::kCoupled;
  Measure measure = Measure::kNatural;
  Coupling coupling;  // of coupled dynamics
  // Of the same problem's other posteriors, so that they are computed once; null: this one's own.
  TiltNormalisers* normalisers = nullptr;
};

// Keeps references to likelihood and study.
std::unique_ptr<Posterior> make_posterior(const inference::Likelihood& likelihood,
                                          const DecisionProblem& problem, const PosteriorOptions& options);

}  // namespace interpole::learn
