#include "interpole/service/fit/learner_fit_task.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/result/fit_quality.hpp"
#include "interpole/learners/learner_options.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/service/evaluation_json.hpp"
#include "interpole/service/fit/summary_json.hpp"
#include "interpole/service/impossible.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

std::string provenance_of(const LearnerFitRequest& request, const learners::OptionValues& values,
                          const HistoryTree& tree) {
  Json options = {{"algorithm", request.algorithm}, {"seed", request.options.seed}};
  for (const learners::LearnerOption& option : values.all()) options[option.name] = option.value;
  return provenance_json(request.study, request.data, learn::counts_json(tree), options.dump());
}

std::string extras_of(const std::string& provenance, const LearnerFitOutcome& outcome) {
  const Json json = {{"provenance", Json::parse(provenance)},
                     {"fit", {{"converged", outcome.converged}, {"how_it_went", outcome.fit_note}}}};
  return json.dump();
}

// On the data it was fitted to; a learner that follows covariates is asked about records that have them.
evaluate::Evaluation evaluated(const Study& study, const DataFiles& data, const HistoryTree& tree,
                               const learners::FittedLearner& fitted) {
  const auto covariates = fitted.covariates();
  if (covariates.empty()) return evaluate::evaluate_learner(tree, study.structure, fitted);
  return evaluate::evaluate_learner(
      data::read_tree_in_context(study, data, covariates, RecordClasses::kApart), study.structure, fitted);
}

}  // namespace

const learners::Learner& algorithm_named(const std::string& name) {
  try {
    return learners::learner_named(name);
  } catch (const Error& error) {
    throw usage_error(std::string("option algorithm: ") + error.what());
  }
}

LearnerFitOutcome run_learner_fit(const LearnerFitRequest& request, Sink& sink) {
  const learners::Learner& learner = algorithm_named(request.algorithm);
  const learners::OptionValues values(learner, request.options);
  const auto [study, tree, left_out, inputs] =
      read_learning_data(request.study, request.data, {{"option output", request.output}}, request.min_cell);
  for (const std::string& sentence : left_out) sink.note(sentence);
  const std::string provenance = provenance_of(request, values, tree);
  inputs.require_unchanged();
  require_possible(study, request.data, tree);
  LearnerFitOutcome outcome;
  outcome.algorithm = request.algorithm;
  outcome.data = counts_of(tree);
  const auto begin = std::chrono::steady_clock::now();
  learners::require_known_outcomes(learner, study.structure);
  const auto fitted = learner.fit(tree, study, request.options, sink);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  outcome.fit_note = fitted->fit_note();
  outcome.converged = fitted->converged();
  outcome.words = fitted->words();
  outcome.is_model = fitted->model() != nullptr;
  outcome.evaluation = evaluated(study, request.data, tree, *fitted);
  outcome.interrupted = fitted->interrupted();
  if (!outcome.converged && !outcome.interrupted) sink.warn(fitted->doubt() + ": " + outcome.fit_note);
  outcome.text =
      learners::format_learner(request.algorithm, study.structure, *fitted, extras_of(provenance, outcome));
  if (!request.output.empty()) base::write_file_atomically(request.output, outcome.text);
  return outcome;
}

std::string to_json(const LearnerFitOutcome& outcome) {
  Json json = {{"algorithm", outcome.algorithm},
               {"converged", outcome.converged},
               {"stop_reason", outcome.fit_note},
               {"file", outcome.is_model ? "model" : "learner"},
               {"seconds", outcome.seconds}};
  Json evaluation = Json::parse(to_json(outcome.evaluation));
  json["histories"] = outcome.data.histories;
  if (!outcome.words.empty()) json["words"] = outcome.words;
  json.update(evaluation);
  return json.dump(2);
}

}  // namespace interpole::service
