#include "interpole/learn/fit.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>

#include "interpole/base/error.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/learn/start.hpp"

namespace interpole {
namespace {

constexpr std::uint64_t kStartPurpose = 1;

struct Attempt {
  bool ran = false;
  std::vector<double> y;
  RestartSummary summary;
  std::optional<int> impossible_node;
};

Attempt run_restart(const Likelihood& likelihood, const Study& study, const StudySpace& space,
                    const FitOptions& options, int index, const Sink& sink) {
  Attempt attempt;
  attempt.ran = true;
  attempt.y.resize(space.size());
  RandomStream random(options.seed, index, kStartPurpose);
  space.coordinates(draw_start(study, space, random), attempt.y);

  LogPosterior exact(likelihood, study, space, options.dynamics);
  const auto stop = [&] { return sink.stop_requested(); };
  if (options.optimizer == Optimizer::kLbfgs) {
    attempt.summary.optimize = maximise_lbfgs(exact, attempt.y, options.lbfgs, stop);
  } else {
    ExpectedLogPosterior expected(likelihood, study, space, options.dynamics, options.monitor);
    attempt.summary.optimize = maximise_adam(expected, attempt.y, options.adam, stop);
  }
  std::vector<double> gradient(space.size());
  attempt.summary.log_posterior = exact.evaluate(attempt.y, gradient);
  attempt.impossible_node = exact.likelihood_value().impossible_node;
  return attempt;
}

std::vector<Attempt> run_restarts(const HistoryTree& tree, const Study& study, const StudySpace& space,
                                  const FitOptions& options, Sink& sink) {
  // Threads go to restarts if there are several, into the likelihood if there is one: the result is the same.
  const Likelihood likelihood(tree, study.structure, Kernel::kVector,
                              options.restarts == 1 ? options.threads : 1);
  std::vector<Attempt> attempts(options.restarts);
  std::atomic<int> done = 0;
  sink.progress("restarts", 0, options.restarts);
  parallel_tasks(options.restarts, options.threads, [&](int i) {
    if (sink.stop_requested()) return;
    attempts[i] = run_restart(likelihood, study, space, options, i, sink);
    sink.progress("restarts", ++done, options.restarts);
  });
  return attempts;
}

// Fills everything that is known once the best restart is.
void describe_best(const HistoryTree& tree, const Study& study, const StudySpace& space,
                   const FitOptions& options, const std::vector<double>& y, FitSummary& summary) {
  const Likelihood likelihood(tree, study.structure);
  LogPosterior objective(likelihood, study, space, options.dynamics);
  std::vector<double> gradient(space.size());
  summary.log_posterior = objective.evaluate(y, gradient);
  summary.log_prior = objective.log_prior_value();
  summary.parameters = space.point(y);
  auto workspace = likelihood.make_workspace();
  summary.log_likelihood = likelihood.evaluate(summary.parameters, {}, nullptr, workspace);
  summary.labels = align_labels(tree, study, summary.parameters);
  summary.policy = policy_identifiability(tree, study, summary.parameters);
}

}  // namespace

Optimizer optimizer_named(const std::string& name) {
  if (name == "lbfgs") return Optimizer::kLbfgs;
  if (name == "algorithm1") return Optimizer::kAlgorithm1;
  throw usage_error(fmt::format("--optimizer: \"{}\" is not known; choose lbfgs or algorithm1", name));
}

std::string name_of(Optimizer optimizer) {
  return optimizer == Optimizer::kLbfgs ? "lbfgs" : "algorithm1";
}

void FitOptions::validate() const {
  if (restarts < 1)
    throw usage_error(fmt::format("--restarts: {} is below 1; ask for at least one", restarts));
  if (threads < 0) throw usage_error(fmt::format("--threads: {} is negative; 0 means all cores", threads));
  lbfgs.validate();
  adam.validate();
}

FitSummary fit(const HistoryTree& tree, const Study& study, const FitOptions& options, Sink& sink) {
  options.validate();
  const StudySpace space(study);
  const auto begin = std::chrono::steady_clock::now();
  const auto attempts = run_restarts(tree, study, space, options, sink);
  FitSummary summary;
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.parameters_learned = space.size();

  std::vector<Candidate> candidates;
  const Attempt* best = nullptr;
  for (const Attempt& attempt : attempts) {
    if (!attempt.ran) continue;
    summary.restarts.push_back(attempt.summary);
    summary.evaluations += attempt.summary.optimize.evaluations;
    summary.interrupted |= attempt.summary.optimize.stop == OptimizeSummary::Stop::kInterrupted;
    if (!std::isfinite(attempt.summary.log_posterior)) {
      summary.impossible_node = attempt.impossible_node;
      continue;
    }
    candidates.push_back({attempt.summary.log_posterior, space.point(attempt.y)});
    if (best == nullptr || attempt.summary.log_posterior > best->summary.log_posterior) {
      best = &attempt;
      summary.best_restart = static_cast<int>(summary.restarts.size()) - 1;
    }
  }
  summary.interrupted |= summary.restarts.size() < attempts.size();
  if (summary.restarts.empty()) {
    throw Error(ErrorKind::kInterrupted, "stopped before the first restart had begun; nothing was written");
  }
  if (best == nullptr) return summary;
  summary.impossible_node.reset();
  describe_best(tree, study, space, options, best->y, summary);
  summary.modes = sort_into_modes(tree, study, candidates);
  return summary;
}

}  // namespace interpole
