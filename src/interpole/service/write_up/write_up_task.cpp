#include "interpole/service/write_up/write_up_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/service/evaluate/evaluate_task.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/service/write_up/reporting_items.hpp"
#include "interpole/service/write_up/write_up_text.hpp"

namespace interpole::service {
namespace {

constexpr int kReplicates = 200;
constexpr double kLevel = 0.95;

WriteUpFacts gather(const WriteUpRequest& request, Sink& sink) {
  WriteUpFacts facts;
  facts.min_cell = request.min_cell;
  facts.fit = read_fit(request.model);
  if (!request.study.empty()) facts.check = run_study_check({request.study, request.data}, sink);
  EvaluateRequest evaluation;
  evaluation.model = request.model;
  evaluation.study = request.study;
  evaluation.data = request.data;
  evaluation.options.bootstrap.replicates = kReplicates;
  evaluation.options.bootstrap.seed = request.seed;
  evaluation.options.bootstrap.threads = request.threads;
  facts.evaluation = run_evaluate(evaluation, sink);
  CheckRequest checks;
  checks.model = request.model;
  checks.study = request.study;
  checks.data = request.data;
  checks.options.threads = request.threads;
  facts.checks = run_check(checks, sink);
  if (facts.fit.model.world && facts.fit.has_uncertainty()) {
    BiasRequest bias;
    bias.model = request.model;
    bias.study = request.study;
    bias.data = request.data;
    bias.seed = request.seed;
    bias.threads = request.threads;
    facts.bias = run_bias(bias, sink);
  }
  if (facts.fit.has_uncertainty()) {
    const AgentWorld best{facts.fit.model.agent, facts.fit.model.world};
    facts.intervals = explain::fit_intervals(facts.fit.model.structure, best,
                                             facts.fit.draws(kUsualDraws, request.seed), kLevel);
  }
  return facts;
}

int count_open(const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find("AUTHOR"); at != std::string::npos; at = text.find("AUTHOR", at + 1))
    ++count;
  return count;
}

}  // namespace

WriteUpOutcome run_write_up(const WriteUpRequest& request, Sink& sink) {
  require_separate_files(
      {{"option output", request.output}},
      with_data({{"option model", request.model}, {"option study", request.study}}, request.data));
  const WriteUpFacts facts = gather(request, sink);
  WriteUpOutcome outcome;
  outcome.text = fmt::format(
      "# Draft of methods and results\n\nEvery number below is from the model file or was computed from the "
      "data "
      "by the program. AUTHOR marks what only you can say.\n\n{}{}{}{}",
      methods_section(facts), results_section(facts), references_section(), reporting_section(facts));
  outcome.open = count_open(outcome.text) - 1;  // not the sentence that explains the word
  base::stop_if_asked(sink, "stopped before the text was written");
  base::write_file_atomically(request.output, outcome.text);
  return outcome;
}

std::string to_json(const WriteUpOutcome& outcome, const WriteUpRequest& request) {
  return nlohmann::ordered_json{{"output", request.output}, {"open", outcome.open}, {"text", outcome.text}}
      .dump(2);
}

}  // namespace interpole::service
