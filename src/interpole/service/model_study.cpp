#include "interpole/service/model_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::service {
namespace {

// The first place at which two lists of names differ: `states[1] is "MCI" in the study, "mci" in the model`.
std::string name_difference(const char* what, const std::vector<std::string>& study,
                            const std::vector<std::string>& model) {
  for (std::size_t i = 0; i < std::max(study.size(), model.size()); ++i) {
    const std::string in_study = i < study.size() ? base::shown(study[i]) : "absent";
    const std::string in_model = i < model.size() ? base::shown(model[i]) : "absent";
    if (in_study != in_model) {
      return fmt::format("{}[{}] is {} in the study and {} in the model", what, i, in_study, in_model);
    }
  }
  return {};
}

std::string mask_difference(const Structure& study, const Structure& model) {
  for (int a = 0; a < study.action_count(); ++a) {
    if (study.is_terminal(a) != model.is_terminal(a)) {
      return fmt::format("action {} is {} in the study and {} in the model", base::shown(study.actions[a]),
                         study.is_terminal(a) ? "terminal" : "not terminal",
                         model.is_terminal(a) ? "terminal" : "not terminal");
    }
    for (int z = 0; z < study.observation_count(); ++z) {
      if (study.can_yield(a, z) == model.can_yield(a, z)) continue;
      return fmt::format("action {} {} yield {} in the study, and {} in the model",
                         base::shown(study.actions[a]), study.can_yield(a, z) ? "can" : "cannot",
                         base::shown(study.observations[z]), model.can_yield(a, z) ? "can" : "cannot");
    }
  }
  return {};
}

std::string factor_difference(const Structure& study, const Structure& model) {
  const auto words = [](const Structure& structure) {
    std::vector<std::string> result;
    for (const MeasuredFactor& factor : structure.factors)
      result.push_back(fmt::format("{} ({}, {} levels)", factor.name, model::name_of(factor.family),
                                   factor.levels.size()));
    return result;
  };
  return name_difference("factors", words(study), words(model));
}

std::string time_difference(const Structure& study, const Structure& model) {
  const auto words = [](const Structure& structure) -> std::string {
    if (!structure.timed()) return "no time";
    const bool steps = structure.time->rule == TimeRule::kSteps;
    return structure.time->unit + (steps ? fmt::format(" in steps of {}", *structure.time->typical) : "");
  };
  if (words(study) == words(model)) return {};
  return fmt::format("visits have {} in the study, and {} in the model", words(study), words(model));
}

std::string first_difference(const Structure& study, const Structure& model) {
  std::string difference = name_difference("states", study.states, model.states);
  if (difference.empty()) difference = name_difference("actions", study.actions, model.actions);
  if (difference.empty())
    difference = name_difference("observations", study.observations, model.observations);
  if (difference.empty()) difference = factor_difference(study, model);
  if (difference.empty()) difference = time_difference(study, model);
  return difference.empty() ? mask_difference(study, model) : difference;
}

}  // namespace

Study study_of_model(const std::string& study_file, const std::string& model, const Structure& structure) {
  if (study_file.empty()) return {DecisionProblem::open(structure), {}, {}};
  Study study = read_study(study_file);
  const std::string difference = first_difference(study.structure, structure);
  if (!difference.empty()) {
    throw input_error(fmt::format("{}: not the study of {}: {}; use the study the model was fitted with",
                                  study_file, model, difference));
  }
  // What is measured is read into the model's own table of outcomes, in its units.
  study.structure.factors = structure.factors;
  study.structure.outcomes = structure.outcomes;
  study.structure.time = structure.time;
  study.structure.gaps = structure.gaps;
  return study;
}

void require_listed_outcomes(const Structure& structure, const std::string& what) {
  if (structure.timed()) {
    throw input_error(fmt::format(
        "{}: visits have times (in {}), which this cannot show yet; evaluate, beliefs, explain, bias "
        "and check can, or use a study without time under [record]",
        what, structure.time->unit));
  }
  if (!structure.measured()) return;
  throw input_error(fmt::format(
      "{}: outcomes are measured (factor {} among them), which needs a list of results; "
      "report, explain and the other figures show this model, or use a study that cuts the factors "
      "into levels (joint = true)",
      what, base::shown(structure.factors[0].name)));
}

std::vector<PolicyCovariate> covariates_of(std::vector<PolicyCovariate> followed, const Study& study,
                                           const DataFiles& data, Sink& sink) {
  for (const std::string& name : data::absent_covariates(study, data, followed)) {
    sink.warn(
        fmt::format("{}: there is no covariate {}, which the model's policy follows or with which its "
                    "starting beliefs differ; decisions are judged as if it were "
                    "not known",
                    data.shown(), base::shown(name)));
  }
  return followed;
}

std::vector<PolicyCovariate> covariates_of(const Parameters& agent, const Study& study, const DataFiles& data,
                                           Sink& sink) {
  return covariates_of(data::followed_covariates(agent), study, data, sink);
}

}  // namespace interpole::service
