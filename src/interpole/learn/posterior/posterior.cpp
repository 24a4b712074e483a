#include "interpole/learn/posterior/posterior.hpp"

#include "interpole/learn/posterior/coupled_posterior.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"

namespace interpole {

Explanation permute_states(const Structure& structure, const Explanation& explanation,
                           const std::vector<int>& order) {
  Explanation result{permute_states(structure, explanation.agent, order), {}};
  if (explanation.world) result.world = permute_states(structure, *explanation.world, order);
  return result;
}

std::unique_ptr<Posterior> make_posterior(const Likelihood& likelihood, const Study& study,
                                          const PosteriorOptions& options) {
  if (options.dynamics == DynamicsMode::kCoupled) {
    return std::make_unique<CoupledPosterior>(likelihood, study, options.coupling, options.measure);
  }
  return std::make_unique<LogPosterior>(likelihood, study, StudySpace(study, options.dynamics),
                                        options.dynamics, options.measure);
}

}  // namespace interpole
