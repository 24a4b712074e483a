#include "interpole/service/explain/explain_task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/belief.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/record/trajectory_words.hpp"
#include "interpole/learn/draws/posterior_draws.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/known_patient.hpp"
#include "interpole/service/model_notes.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole::service {
namespace {

constexpr std::size_t kUsedDraws = 400;

struct FoundRecord {
  std::string patient;
  std::vector<Step> steps;
  std::vector<std::string> visits;  // for people
  std::vector<std::string> names;
  std::vector<std::int64_t> numbers;
};

FoundRecord find_record(const Study& study, const ExplainRequest& request) {
  FoundRecord found;
  data::for_each_record(
      study, request.data,
      [&](const data::RecordView& record) {
        if (record.patient != request.patient) return;
        found.patient = record.patient;
        found.steps.assign(record.steps.begin(), record.steps.end());
        found.names.assign(record.visits.begin(), record.visits.end());
        found.numbers.assign(record.numbers.begin(), record.numbers.end());
        for (std::size_t t = 0; t < record.steps.size(); ++t) {
          found.visits.push_back(record.visits.empty() ? std::to_string(record.numbers[t])
                                                       : record.visits[t]);
        }
      },
      data::RecordDetails::kVisits);
  if (found.steps.empty()) throw unknown_patient(study, request.data, request.patient);
  return found;
}

void add_counterfactuals(const Model& model, std::vector<VisitExplanation>& visits) {
  std::vector<double> world;
  std::vector<double> next(model.structure.states.size());
  if (model.world) world = model.world->initial;
  for (VisitExplanation& visit : visits) {
    std::optional<WorldView> view;
    if (!world.empty()) view = WorldView{&*model.world, world};
    visit.counterfactuals = counterfactuals(model.structure, model.agent, visit.decision.belief, view);
    if (world.empty() || model.structure.is_terminal(visit.decision.step.action)) continue;
    const Step step = visit.decision.step;
    const double chance =
        update_belief(model.structure, *model.world, step.action, step.observation, world, next);
    world = chance > 0.0 ? next : std::vector<double>();
  }
}

void add_intervals(const Structure& structure, const std::vector<Step>& steps,
                   const std::vector<AgentWorld>& draws, double level,
                   std::vector<VisitExplanation>& visits) {
  const std::size_t used = std::min(draws.size(), kUsedDraws);
  const std::size_t S = structure.states.size();
  std::vector<std::vector<double>> beliefs(visits.size() * S);
  std::vector<std::vector<double>> chances(visits.size());
  for (std::size_t i = 0; i < used; ++i) {
    const Parameters& agent = draws[i * draws.size() / used].agent;
    std::vector<double> belief = agent.dynamics.initial;
    std::vector<double> next(S);
    for (std::size_t t = 0; t < visits.size(); ++t) {
      for (std::size_t s = 0; s < S; ++s) beliefs[t * S + s].push_back(belief[s]);
      chances[t].push_back(action_probabilities(structure, agent.policy, belief)[steps[t].action]);
      const Step step = steps[t];
      if (structure.is_terminal(step.action)) break;
      if (!(update_belief(structure, agent.dynamics, step.action, step.observation, belief, next) > 0.0))
        break;
      belief = next;
    }
  }
  for (std::size_t t = 0; t < visits.size(); ++t) {
    for (std::size_t s = 0; s < S; ++s) visits[t].belief.push_back(estimate_of(beliefs[t * S + s], level));
    visits[t].probability = estimate_of(chances[t], level);
  }
}

}  // namespace

ExplainOutcome run_explain(const ExplainRequest& request, Sink& sink) {
  const Model model = read_model(request.model);
  const Study study = study_of_model(request.study, request.model, model.structure);
  const FoundRecord record = find_record(study, request);
  ExplainOutcome outcome;
  outcome.patient = record.patient;
  outcome.structure = model.structure;
  outcome.factors = outcome_factors(study);
  const RecordExplanation explained =
      explain_record(model.structure, outcome.factors, model.agent, record.steps);
  if (explained.impossible) {
    const std::size_t t = *explained.impossible;
    throw impossible_outcome(model.structure, request.data, record.patient,
                             shown_place(record.names, record.numbers, t), record.steps[t].action,
                             record.steps[t].observation, "the model",
                             "correct the table, or use a model that allows it");
  }
  const auto sentences = explain::decision_sentences(model.structure, outcome.factors, explained);
  for (std::size_t t = 0; t < explained.decisions.size(); ++t) {
    outcome.visits.push_back({record.visits[t], sentences[t], explained.decisions[t], {}, {}, {}, {}});
  }
  add_counterfactuals(model, outcome.visits);
  for (VisitExplanation& visit : outcome.visits) {
    visit.without_factor = without_each_factor(model.structure, outcome.factors, model.agent,
                                               visit.decision.belief, visit.decision.step);
  }
  if (!request.draws.empty() || learn::read_uncertainty(request.model, model.structure)) {
    const learn::PosteriorDraws posterior =
        learn::posterior_draws(request.model, model.structure, request.draws, request.seed);
    add_intervals(model.structure, record.steps, posterior.draws, request.level, outcome.visits);
    outcome.source = posterior.source;
  }
  outcome.warnings = read_model_notes(request.model).warnings;
  for (const std::string& warning : outcome.warnings) sink.warn(warning);
  return outcome;
}

const VisitExplanation& visit_named(const ExplainOutcome& outcome, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& visit : outcome.visits) names.push_back(visit.visit);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw usage_error(fmt::format("option visit: patient {} has no visit {}{}", base::shown(outcome.patient),
                                  base::shown(name), base::suggestion(name, names, "the visits are")));
  }
  return outcome.visits[found - names.begin()];
}

}  // namespace interpole::service
