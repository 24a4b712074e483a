#include "interpole/service/model_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole::service {
namespace {

// What is compared, and how a message calls each side: "the study", or a file's name.
struct Compared {
  const Structure& structure;
  std::string name;
};

// The first place at which two lists of names differ: `states[1] is "MCI" in the study, "mci" in the model`.
std::string name_difference(const char* what, const std::vector<std::string>& first,
                            const std::vector<std::string>& second, const Compared& x, const Compared& y) {
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    const std::string in_first = i < first.size() ? base::shown(first[i]) : "absent";
    const std::string in_second = i < second.size() ? base::shown(second[i]) : "absent";
    if (in_first != in_second) {
      return fmt::format("{}[{}] is {} in {} and {} in {}", what, i, in_first, x.name, in_second, y.name);
    }
  }
  return {};
}

std::string mask_difference(const Compared& x, const Compared& y) {
  const Structure& first = x.structure;
  const Structure& second = y.structure;
  for (int a = 0; a < first.action_count(); ++a) {
    if (first.is_terminal(a) != second.is_terminal(a)) {
      return fmt::format("action {} is {} in {} and {} in {}", base::shown(first.actions[a]),
                         first.is_terminal(a) ? "terminal" : "not terminal", x.name,
                         second.is_terminal(a) ? "terminal" : "not terminal", y.name);
    }
    for (int z = 0; z < first.observation_count(); ++z) {
      if (first.can_yield(a, z) == second.can_yield(a, z)) continue;
      return fmt::format("action {} {} yield {} in {}, and {} in {}", base::shown(first.actions[a]),
                         first.can_yield(a, z) ? "can" : "cannot", base::shown(first.observations[z]), x.name,
                         second.can_yield(a, z) ? "can" : "cannot", y.name);
    }
  }
  return {};
}

std::vector<std::string> factor_words(const Structure& structure) {
  std::vector<std::string> result;
  for (const MeasuredFactor& factor : structure.factors)
    result.push_back(
        fmt::format("{} ({}, {} levels)", factor.name, model::name_of(factor.family), factor.levels.size()));
  return result;
}

std::string time_difference(const Compared& x, const Compared& y) {
  const auto words = [](const Structure& structure) -> std::string {
    if (!structure.timed()) return "no time";
    const bool steps = structure.time->rule == TimeRule::kSteps;
    return structure.time->unit + (steps ? fmt::format(" in steps of {}", *structure.time->typical) : "");
  };
  const std::string in_x = words(x.structure);
  const std::string in_y = words(y.structure);
  if (in_x == in_y) return {};
  return fmt::format("visits have {} in {}, and {} in {}", in_x, x.name, in_y, y.name);
}

std::string first_difference(const Compared& x, const Compared& y) {
  const Structure& a = x.structure;
  const Structure& b = y.structure;
  std::string difference = name_difference("states", a.states, b.states, x, y);
  if (difference.empty()) difference = name_difference("actions", a.actions, b.actions, x, y);
  if (difference.empty()) difference = name_difference("observations", a.observations, b.observations, x, y);
  if (difference.empty()) difference = name_difference("factors", factor_words(a), factor_words(b), x, y);
  if (difference.empty()) difference = time_difference(x, y);
  return difference.empty() ? mask_difference(x, y) : difference;
}

}  // namespace

void require_same_structure(const std::string& first, const Structure& of_first, const std::string& second,
                            const Structure& of_second) {
  const std::string difference = first_difference({of_first, first}, {of_second, second});
  if (difference.empty()) return;
  throw input_error(
      fmt::format("{}: not a model of the same structure as {}: {}; choose two models of one study", second,
                  first, difference));
}

Study study_of_model(const std::string& study_file, const std::string& model, const Structure& structure) {
  if (study_file.empty()) return {DecisionProblem::open(structure), {}, {}};
  Study study = read_study(study_file);
  const std::string difference = first_difference({study.structure, "the study"}, {structure, "the model"});
  if (!difference.empty()) {
    throw input_error(fmt::format("{}: not the study of {}: {}; use the study the model was fitted with",
                                  study_file, model, difference));
  }
  // What is measured is read into the model's own table of outcomes, in its units.
  study.structure.factors = structure.factors;
  study.structure.outcomes = structure.outcomes;
  study.structure.time = structure.time;
  study.structure.gaps = structure.gaps;
  study.structure.not_recorded = structure.not_recorded;
  return study;
}

void require_listed_outcomes(const Structure& structure, const std::string& what) {
  if (structure.timed()) {
    throw input_error(fmt::format(
        "{}: visits have times (in {}), and how states change depends on the gap between two of them, for "
        "which it has no place; report, explain and the other figures show this model, or use a study "
        "without "
        "time under [record]",
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
