#include "interpole/learn/fit/fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"
#include "interpole/learn/fit/relabelled_rows.hpp"
#include "interpole/learn/fit/restarts.hpp"

namespace interpole::learn {
namespace {

// σ of the first search: loose enough to see the agent's own mind, tight enough to keep its states the
// world's.
constexpr double kFirstScale = 0.3;
// Evidence and intervals need the curvature in every pair of coordinates: beyond this it takes too long.
constexpr int kMostExpandedCoordinates = 500;
// Ends so far below the best, in nats, or so many are not looked at when it comes to how sure a fit is.
constexpr double kModeReach = 5.0;
constexpr std::size_t kMostModes = 4;

// Searches with a first σ, chooses σ by the evidence there, and goes on with it from where each search ended.
std::vector<Attempt> run_coupled(Restarts& restarts, FitSummary& summary, Sink& sink) {
  summary.scales = CouplingScales::all(kFirstScale);
  auto attempts = restarts.search(summary.scales);
  const Attempt* highest = highest_of(attempts);
  if (highest == nullptr || sink.stop_requested()) return attempts;
  if (summary.parameters_learned > kMostExpandedCoordinates) {
    sink.warn(fmt::format("{} parameters are too many to choose the coupling by the evidence: {} was taken",
                          summary.parameters_learned, kFirstScale));
    return restarts.finish(attempts, summary.scales, nullptr);
  }
  summary.scale_choice = restarts.choose(highest->agent_world);
  if (sink.stop_requested()) return attempts;
  summary.scales = summary.scale_choice->scales;
  return restarts.finish(attempts, summary.scales, &*summary.scale_choice);
}

std::vector<Attempt> run_all(Restarts& restarts, const FitOptions& options, FitSummary& summary, Sink& sink) {
  if (options.dynamics == DynamicsMode::kCoupled && !options.scales) {
    return run_coupled(restarts, summary, sink);
  }
  summary.scales = options.scales.value_or(CouplingScales{});
  return restarts.finish(restarts.search(summary.scales), summary.scales, nullptr);
}

// The explanations that a posterior may have its mass around: the best first, states named as there.
std::vector<AgentWorld> near_best(const DecisionProblem& problem, const std::vector<Mode>& modes,
                                  const std::vector<Candidate>& candidates, const AgentWorld& best) {
  std::vector<AgentWorld> result = {best};
  for (std::size_t m = 1; m < modes.size() && result.size() < kMostModes; ++m) {
    if (modes[0].log_posterior - modes[m].log_posterior > kModeReach) break;
    result.push_back(named_alike(problem, candidates[modes[m].members.front()].agent_world, best));
  }
  return result;
}

// Fills everything that is known once the best restart is.
void describe_best(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                   const AgentWorld& found, const std::vector<Candidate>& candidates, Sink& sink,
                   FitSummary& summary) {
  summary.labels = find_labels(tree, problem, found.agent);
  const AgentWorld best =
      summary.labels.order.empty() ? found : permute_states(problem.structure, found, summary.labels.order);
  summary.parameters = best.agent;
  summary.world = best.world;
  const inference::Likelihood likelihood(tree, problem.structure);
  const auto objective =
      make_posterior(likelihood, problem, {options.dynamics, Measure::kNatural, {summary.scales, false}});
  std::vector<double> y(objective->size());
  std::vector<double> gradient(objective->size());
  objective->coordinates(found, y);
  summary.log_posterior = objective->evaluate(y, gradient);
  summary.log_prior = objective->log_prior_value();
  summary.log_likelihood = objective->likelihood_value();
  if (options.dynamics == DynamicsMode::kSubjective) {
    auto workspace = likelihood.make_workspace();
    summary.log_likelihood = likelihood.evaluate(best.agent, {}, nullptr, workspace);
  }
  permute_rows(problem, summary.labels.order, summary.scales.rows);
  if (summary.scale_choice) permute_rows(problem, summary.labels.order, *summary.scale_choice);
  summary.policy = policy_identifiability(tree, problem, summary.parameters);
  if (!options.uncertainty || summary.interrupted) return;
  if (summary.parameters_learned > kMostExpandedCoordinates) return;
  const ScaleChoice* choice = summary.scale_choice ? &*summary.scale_choice : nullptr;
  summary.uncertainty =
      expand(likelihood, problem, options.dynamics, near_best(problem, summary.modes, candidates, best),
             summary.scales, choice, options.lbfgs, options.seed, sink);
}

}  // namespace

Optimizer optimizer_named(const std::string& name) {
  if (name == "lbfgs") return Optimizer::kLbfgs;
  if (name == "algorithm1") return Optimizer::kAlgorithm1;
  throw usage_error(fmt::format("option optimizer: \"{}\" is not known; choose lbfgs or algorithm1", name));
}

std::string name_of(Optimizer optimizer) {
  return optimizer == Optimizer::kLbfgs ? "lbfgs" : "algorithm1";
}

void FitOptions::validate() const {
  if (restarts < 0) {
    throw usage_error(fmt::format(
        "option restarts: {} is negative; ask for at least one, or for none to let the search decide",
        restarts));
  }
  if (threads < 0)
    throw usage_error(fmt::format("option threads: {} is negative; 0 means all cores", threads));
  if (optimizer == Optimizer::kAlgorithm1 && dynamics == DynamicsMode::kCoupled) {
    throw usage_error(
        "option optimizer algorithm1: the paper's algorithm fits one set of dynamics; add option dynamics "
        "shared or "
        "option dynamics subjective");
  }
  if (scales && dynamics != DynamicsMode::kCoupled) {
    throw usage_error(
        "option coupling: only coupled dynamics have one; remove it, or add option dynamics coupled");
  }
  lbfgs.validate();
  adam.validate();
}

namespace {

// Stopped before there is a model. Searches of an earlier stage (belief alone) may have ended: they are kept.
Error nothing_yet(base::Checkpoint* checkpoint) {
  if (checkpoint == nullptr)
    return {ErrorKind::kInterrupted, "stopped before there was a model; nothing was written"};
  checkpoint->write();
  return {
      ErrorKind::kInterrupted,
      fmt::format("stopped before there was a model; the same command goes on from {}", checkpoint->path())};
}

}  // namespace

FitSummary fit_as_stated(const HistoryTree& tree, const DecisionProblem& problem, const FitOptions& options,
                         Sink& sink, base::Checkpoint* checkpoint, const std::string& phase,
                         const Parameters* one) {
  options.validate();
  const auto begin = std::chrono::steady_clock::now();
  FitSummary summary;
  summary.problem = problem;
  Restarts restarts(tree, problem, options, sink, checkpoint, phase, one);
  summary.parameters_learned =
      make_posterior(restarts.likelihood(), problem, {options.dynamics, Measure::kNatural, {}})->size();
  const auto attempts = run_all(restarts, options, summary, sink);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::vector<Candidate> candidates;
  const Attempt* best = best_of(attempts);
  for (const Attempt& attempt : attempts) {
    if (!attempt.ran) continue;
    if (&attempt == best) summary.best_restart = static_cast<int>(summary.restarts.size());
    summary.restarts.push_back(attempt.summary);
    summary.evaluations += attempt.summary.optimize.evaluations;
    summary.interrupted |= attempt.summary.optimize.stop == optimize::OptimizeSummary::Stop::kInterrupted;
    if (!std::isfinite(attempt.summary.log_posterior)) {
      summary.impossible_node = attempt.impossible_node;
      continue;
    }
    candidates.push_back({attempt.summary.log_posterior, attempt.agent_world});
  }
  summary.interrupted |= summary.restarts.size() < attempts.size() || sink.stop_requested();
  if (summary.restarts.empty()) throw nothing_yet(checkpoint);
  if (best == nullptr && !summary.impossible_node && !summary.interrupted) throw NothingFinite(problem);
  if (best == nullptr) return summary;
  summary.impossible_node.reset();
  summary.modes = sort_into_modes(tree, problem, candidates);
  describe_best(tree, problem, options, best->agent_world, candidates, sink, summary);
  return summary;
}

}  // namespace interpole::learn
