#include "interpole/learn/result/fitted_again.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/optimize/second_order/search.hpp"

namespace interpole::learn {
namespace {

constexpr double kLeastWidth = 0.1;  // a narrower prior is of no use

double width_of(const std::vector<double>& weights) {
  double squares = 0.0;
  for (const double w : weights) squares += w * w;
  return std::max(kLeastWidth, std::sqrt(squares / std::max(1.0, static_cast<double>(weights.size()))));
}

}  // namespace

DecisionProblem problem_of(const FitResult& fit, const Priors& priors) {
  DecisionProblem problem = fit.uncertainty->problem;
  problem.priors = priors;
  problem.priors.term_scales.clear();
  problem.priors.start_scales.clear();
  for (const PolicyTerm& term : fit.model.agent.policy.terms.additive) {
    problem.priors.term_scales.push_back(width_of(term.weights));
  }
  for (const StartTerm& term : fit.model.agent.dynamics.start) {
    problem.priors.start_scales.push_back(width_of(term.weights));
  }
  return problem;
}

std::optional<FitResult> with_one_set_of_dynamics(const FitResult& coupled, const Priors& priors,
                                                  const HistoryTree& tree, int threads, Sink& sink) {
  if (!coupled.model.world || !coupled.has_uncertainty()) return std::nullopt;
  const DecisionProblem problem = problem_of(coupled, priors);
  if (problem.world) return std::nullopt;
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.restarts = 1;
  options.threads = threads;
  const Parameters start{*coupled.model.world, coupled.model.agent.policy};
  const FitSummary summary = fit_as_stated(tree, problem, options, sink, nullptr, "", &start);
  if (summary.impossible_node || summary.interrupted) return std::nullopt;
  return result_of(summary, "");
}

std::optional<ClimbedAgain> climbed_again(const FitResult& fit, const Priors& priors, const HistoryTree& tree,
                                          int threads, Sink& sink) {
  if (!fit.has_uncertainty() || fit.uncertainty->uncertainty.components.empty()) return std::nullopt;
  const Uncertainty& uncertainty = fit.uncertainty->uncertainty;
  const DecisionProblem problem = problem_of(fit, priors);
  const inference::Likelihood likelihood(tree, problem.structure, inference::Kernel::kVector, threads);
  const auto posterior = make_posterior(
      likelihood, problem,
      {uncertainty.dynamics, Measure::kNatural, {uncertainty.components.front().scales, false}});
  std::vector<double> y(posterior->size());
  posterior->coordinates({fit.model.agent, fit.model.world}, y);
  ClimbedAgain again;
  again.climb = optimize::maximise(*posterior, y, {}, [&] { return sink.stop_requested(); });
  again.agent_world = posterior->agent_world(y);
  return again;
}

}  // namespace interpole::learn
