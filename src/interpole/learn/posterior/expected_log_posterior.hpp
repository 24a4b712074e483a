// The paper's expected log-posterior Q(θ;θ) + log p(θ) and the gradient of Q(·;θ) + log p at θ (paper,
// section 4 and appendix A): forward-backward for the hidden states, then the derivative of the complete-data
// likelihood.
//
// By Fisher's identity the gradient equals that of the log-posterior; the value does not (it lacks the
// entropy of the hidden states), which is why watching it can stop too early
// (docs/mathematics/algorithm1.md).
#pragma once

#include "interpole/learn/posterior/log_posterior.hpp"

namespace interpole::learn {

// What is watched for improvement.
enum class Monitor {
  kExpected,  // Q(θ;θ) + log p(θ), as the authors do
  kExact,     // log p(D|θ) + log p(θ), what the algorithm in fact climbs
};

class ExpectedLogPosterior : public optimize::Objective {
 public:
  ExpectedLogPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                       const StudySpace& space, DynamicsMode mode, Monitor monitor);

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;

 private:
  const inference::Likelihood& likelihood_;
  const DecisionProblem& problem_;
  const StudySpace& space_;
  inference::LikelihoodTerms terms_;
  Monitor monitor_;
  inference::LikelihoodWorkspace workspace_;
  Parameters parameters_;
  Parameters gradient_;
};

}  // namespace interpole::learn
