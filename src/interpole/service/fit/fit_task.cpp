#include "interpole/service/fit/fit_task.hpp"

#include <fmt/format.h>

#include "interpole/explain/policy/kind_words.hpp"
#include "interpole/explain/policy/start_words.hpp"
#include "interpole/explain/policy/term_words.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/learn/result/fit_quality.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/service/fit/summary_json.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/name_study.hpp"
#include "interpole/service/run_fingerprint.hpp"

namespace interpole::service {

namespace {

base::Checkpoint::Fingerprint fingerprint_of(const FitRequest& request) {
  const learn::FitOptions& options = request.options;
  auto result = run_fingerprint("fit", request.study, request.data);
  result.emplace_back("option dynamics", name_of(options.dynamics));
  result.emplace_back("option coupling",
                      options.scales ? fmt::format("{}", options.scales->observation) : "by the evidence");
  result.emplace_back("option optimizer", name_of(options.optimizer));
  result.emplace_back("option monitor", options.monitor == learn::Monitor::kExact ? "exact" : "expected");
  result.emplace_back(
      "option most-iterations",
      fmt::format("{} (lbfgs), {} (adam)", options.lbfgs.most_iterations, options.adam.most_iterations));
  result.emplace_back("option restarts", std::to_string(options.restarts));
  result.emplace_back("option policy", name_of(options.policy));
  result.emplace_back("option seed", std::to_string(options.seed));
  result.emplace_back("option min-cell", std::to_string(request.min_cell));
  return result;
}

std::string not_converged(const learn::FitOptions& options, optimize::OptimizeSummary::Stop stop) {
  std::string message = "the best restart did not converge: " + describe(stop);
  if (stop == optimize::OptimizeSummary::Stop::kIterations) {
    const bool adam = options.optimizer == learn::Optimizer::kAlgorithm1;
    message += fmt::format("; allow more than {} with option most-iterations",
                           adam ? options.adam.most_iterations : options.lbfgs.most_iterations);
  }
  return message;
}

}  // namespace

FitOutcome run_fit(const FitRequest& request, Sink& sink) {
  request.options.validate();
  const LearningRun run = begin_learning(
      request, {}, [&] { return fingerprint_of(request); }, sink);
  const Study& study = run.study;
  // Digests are taken before the work, whatever becomes of the files meanwhile.
  const std::string provenance = provenance_json(request.study, request.data, learn::counts_json(run.tree),
                                                 learn::options_json(request.options));
  run.inputs.require_unchanged();
  FitOutcome outcome;
  outcome.data = counts_of(run.tree);
  outcome.summary = name_study(request.study, [&] {
    return learn::fit(run.tree, study, request.options, sink, run.checkpoint.get());
  });
  const learn::FitSummary& summary = outcome.summary;
  if (run.checkpoint && summary.interrupted) run.checkpoint->write();
  if (summary.impossible_node) {
    throw impossible_by_study(study, request.data, run.tree, *summary.impossible_node);
  }
  if (!summary.converged()) sink.warn(not_converged(request.options, summary.best().stop));
  if (summary.labels.ambiguous) sink.warn("state names: " + summary.labels.sentence);
  if (!summary.policy.sentence.empty()) sink.warn(summary.policy.sentence);
  outcome.result = learn::result_of(summary, provenance);
  if (!summary.interrupted) {
    ModelCheckOptions options = checks_for_verdict(outcome.result);
    options.threads = request.options.threads;
    options.covariates = study.known.policy.terms.covariates;
    outcome.checks = check_model(outcome.result, run.tree, options);
    outcome.result = widened_by_misfit(std::move(outcome.result), outcome.checks);
  }
  if (summary.uncertainty) {
    const auto draws = outcome.result.draws(kUsualDraws, request.options.seed);
    outcome.term_sentences = explain::kind_sentences(study.structure, summary.parameters.policy, draws);
    for (auto& sentence : explain::term_sentences(explain::term_effects(study.structure, draws))) {
      outcome.term_sentences.push_back(std::move(sentence));
    }
    outcome.starting_beliefs = explain::starting_beliefs(study.structure, draws);
    for (auto& sentence : explain::start_sentences(outcome.starting_beliefs)) {
      outcome.term_sentences.push_back(std::move(sentence));
    }
    outcome.intervals = explain::fit_intervals(study.structure, {summary.parameters, summary.world}, draws);
  }
  if (!request.output.empty()) write_fit(request.output, outcome.result);
  if (run.checkpoint && !summary.interrupted) run.checkpoint->remove();
  return outcome;
}

}  // namespace interpole::service
