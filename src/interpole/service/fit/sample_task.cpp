#include "interpole/service/fit/sample_task.hpp"

#include <fmt/format.h>

#include "interpole/learn/draws/arviz_json.hpp"
#include "interpole/learn/draws/draws_csv.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/name_study.hpp"
#include "interpole/service/run_fingerprint.hpp"

namespace interpole::service {
namespace {

// Modes so far below the best hold none of the posterior worth a word.
constexpr double kNegligible = 25.0;  // nats

base::Checkpoint::Fingerprint fingerprint_of(const SampleRequest& request) {
  const learn::SampleOptions& options = request.options;
  auto result = run_fingerprint("sample", request.study, request.data);
  result.emplace_back("option dynamics", name_of(options.dynamics));
  result.emplace_back("option coupling",
                      options.scales ? fmt::format("{}", options.scales->observation) : "sampled");
  result.emplace_back("option draws", std::to_string(options.draws));
  result.emplace_back("option warm-up", std::to_string(options.warm_up));
  result.emplace_back("option chains", std::to_string(options.chains));
  result.emplace_back("option metric", options.metric ? learn::name_of(*options.metric) : "by size");
  result.emplace_back("option target-accept", fmt::format("{}", options.target_accept));
  result.emplace_back("option restarts", std::to_string(options.restarts));
  result.emplace_back("option policy", name_of(options.policy));
  result.emplace_back("option seed", std::to_string(options.seed));
  result.emplace_back("option min-cell", std::to_string(request.min_cell));
  return result;
}

std::vector<std::string> warnings_of(const learn::SampleSummary& summary) {
  std::vector<std::string> warnings;
  const learn::FitSummary& fit = summary.fit;
  if (!fit.converged()) {
    warnings.push_back("the search for the best explanation did not converge: " + describe(fit.best().stop));
  }
  if (fit.labels.ambiguous) warnings.push_back("state names: " + fit.labels.sentence);
  if (!fit.policy.sentence.empty()) warnings.push_back(fit.policy.sentence);
  if (fit.modes.size() > 1 && fit.log_posterior - fit.modes[1].log_posterior < kNegligible) {
    warnings.push_back(fmt::format(
        "{} different explanations were found (the next is {:.1f} nats lower); the chains explore "
        "the best one",
        fit.modes.size(), fit.log_posterior - fit.modes[1].log_posterior));
  }
  warnings.insert(warnings.end(), summary.quality.doubts.begin(), summary.quality.doubts.end());
  return warnings;
}

void say_what_was_renamed(const learn::SampleSummary& summary, Sink& sink) {
  int chains = 0;
  int draws = 0;
  for (const learn::SampledChain& chain : summary.chains) {
    chains += chain.relabelled ? 1 : 0;
    draws += chain.relabelled_draws;
  }
  if (chains + draws == 0) return;
  sink.note(
      fmt::format("states were renamed in {} whole chain{} and {} single draw{} to agree with the best fit",
                  chains, chains == 1 ? "" : "s", draws, draws == 1 ? "" : "s"));
}

}  // namespace

DrawsTable draws_table(const SampleOutcome& outcome) {
  const learn::SampleSummary& summary = outcome.summary;
  DrawsTable table;
  table.columns = learn::draw_columns(summary.fit.problem.structure, summary);
  for (std::size_t c = 0; c < summary.chains.size(); ++c) {
    const auto& draws = summary.chains[c].draws;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      table.chain.push_back(static_cast<std::int64_t>(c) + 1);
      table.iteration.push_back(static_cast<std::int64_t>(i) + 1);
      const auto values = learn::draw_values(summary, draws[i]);
      table.values.insert(table.values.end(), values.begin(), values.end());
    }
  }
  return table;
}

SampleOutcome run_sample(const SampleRequest& request, Sink& sink) {
  request.options.validate();
  const LearningRun run = begin_learning(
      request, {{"option arviz", request.arviz}}, [&] { return fingerprint_of(request); }, sink);
  const Study& study = run.study;
  SampleOutcome outcome;
  outcome.data = counts_of(run.tree);
  outcome.summary = name_study(request.study, [&] {
    return learn::sample(run.tree, study, request.options, sink, run.checkpoint.get());
  });
  const learn::SampleSummary& summary = outcome.summary;
  if (summary.fit.impossible_node) {
    throw impossible_by_study(study, request.data, run.tree, *summary.fit.impossible_node);
  }
  outcome.warnings = warnings_of(summary);
  for (const auto& warning : outcome.warnings) sink.warn(warning);
  say_what_was_renamed(summary, sink);
  if (!request.output.empty()) learn::write_draws_csv(request.output, study.structure, summary);
  if (!request.arviz.empty()) learn::write_arviz_json(request.arviz, study.structure, summary);
  if (run.checkpoint && !summary.interrupted) run.checkpoint->remove();
  return outcome;
}

}  // namespace interpole::service
