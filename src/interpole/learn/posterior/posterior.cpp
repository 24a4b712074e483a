#include "interpole/learn/posterior/posterior.hpp"

#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"

namespace interpole::learn {

std::unique_ptr<Posterior> make_posterior(const inference::Likelihood& likelihood,
                                          const DecisionProblem& problem, const PosteriorOptions& options) {
  if (options.dynamics == DynamicsMode::kCoupled) {
    return std::make_unique<CoupledPosterior>(likelihood, problem, options.coupling, options.measure,
                                              options.normalisers);
  }
  return std::make_unique<LogPosterior>(likelihood, problem, StudySpace(problem, options.dynamics),
                                        options.dynamics, options.measure);
}

}  // namespace interpole::learn
