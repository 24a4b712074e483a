#include "interpole/explain/checks/unrecorded_sign.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole::explain {
namespace {

constexpr double kLeastScale = 0.05;

// How far the weights of a term are from zero.
double spread_of(const PolicyTerm& term) {
  double squares = 0.0;
  for (const double weight : term.weights) squares += weight * weight;
  return std::max(kLeastScale,
                  std::sqrt(squares / std::max<double>(1.0, static_cast<double>(term.weights.size()))));
}

}  // namespace

learn::SignProfile weigh_sign_of(const FitResult& fit, const HistoryTree& tree, int threads) {
  if (!fit.has_uncertainty()) {
    learn::SignProfile none;
    none.not_weighed = "the model does not say how sure it is";
    return none;
  }
  DecisionProblem problem = fit.uncertainty->problem;
  for (const PolicyTerm& term : fit.model.agent.policy.terms.additive) {
    problem.priors.term_scales.push_back(spread_of(term));
  }
  std::vector<Parameters> starts = {fit.model.agent};
  if (fit.model.world) starts.insert(starts.begin(), {*fit.model.world, fit.model.agent.policy});
  learn::SignSearch search;
  search.threads = threads;
  return learn::weigh_sign(tree, problem, starts, search);
}

}  // namespace interpole::explain
