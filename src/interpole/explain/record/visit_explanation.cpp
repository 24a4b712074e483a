#include "interpole/visit_explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/record/trajectory_words.hpp"

namespace interpole {
namespace {

constexpr std::size_t kUsedDraws = 200;  // those that the explorer's page has

DecisionContext context_of(const DecisionExplanation& decision, std::span<const Step> before,
                           std::span<const double> covariates) {
  DecisionContext context = context_after(before, covariates);
  context.kinds = decision.kinds;
  return context;
}

void add_counterfactuals(const Model& model, std::span<const Step> steps, std::span<const double> covariates,
                         std::vector<VisitExplanation>& visits) {
  std::vector<double> world;
  std::vector<double> next(model.structure.states.size());
  if (model.world) world = start_belief(*model.world, covariates);
  for (std::size_t t = 0; t < visits.size(); ++t) {
    VisitExplanation& visit = visits[t];
    std::optional<WorldView> view;
    if (!world.empty()) view = WorldView{&*model.world, world};
    visit.counterfactuals =
        counterfactuals(model.structure, model.agent, visit.decision.belief, view,
                        context_of(visit.decision, steps.first(t), covariates), visit.decision.step.gap);
    if (world.empty() || model.structure.is_terminal(visit.decision.step.action)) continue;
    const Step step = visit.decision.step;
    const double chance = update_belief(model.structure, *model.world, step, world, next);
    world = chance > 0.0 ? next : std::vector<double>();
  }
}

// Every draw follows the record with its own dynamics and policy.
std::vector<explain::DecisionIntervals> decision_intervals(const Structure& structure,
                                                           std::span<const Step> steps,
                                                           std::span<const double> covariates,
                                                           const std::vector<AgentWorld>& draws,
                                                           double level) {
  const std::size_t used = std::min(draws.size(), kUsedDraws);
  const std::size_t S = structure.states.size();
  const std::size_t A = structure.actions.size();
  std::vector<std::vector<double>> beliefs(steps.size() * S);
  std::vector<std::vector<double>> chances(steps.size() * A);
  for (std::size_t i = 0; i < used; ++i) {
    const Parameters& agent = draws[i * draws.size() / used].agent;
    std::vector<double> belief = start_belief(agent.dynamics, covariates);
    std::vector<double> next(S);
    std::vector<double> kinds;
    if (!agent.policy.other_kinds.empty()) kinds = agent.policy.kind_shares();
    for (std::size_t t = 0; t < steps.size(); ++t) {
      for (std::size_t s = 0; s < S; ++s) beliefs[t * S + s].push_back(belief[s]);
      auto context = context_after(steps.first(t), covariates);
      context.kinds = kinds;
      const auto likely = action_probabilities(structure, agent.policy, belief, context);
      for (std::size_t a = 0; a < A; ++a) chances[t * A + a].push_back(likely[a]);
      const Step step = steps[t];
      if (!kinds.empty()) {
        kinds_after_decision(structure, agent.policy, belief, context, step.action, kinds);
      }
      if (structure.is_terminal(step.action)) break;
      if (!(update_belief(structure, agent.dynamics, step, belief, next) > 0.0)) break;
      belief = next;
    }
  }
  std::vector<explain::DecisionIntervals> intervals(steps.size());
  for (std::size_t t = 0; t < steps.size(); ++t) {
    for (std::size_t s = 0; s < S; ++s) intervals[t].belief.push_back(estimate_of(beliefs[t * S + s], level));
    for (std::size_t a = 0; a < A; ++a) intervals[t].policy.push_back(estimate_of(chances[t * A + a], level));
  }
  return intervals;
}

}  // namespace

VisitExplanations explain_visits(const Model& model, const OutcomeFactors& factors,
                                 std::span<const Step> record, const std::vector<AgentWorld>& draws,
                                 double level, std::span<const double> covariates) {
  VisitExplanations result;
  const RecordExplanation explained =
      explain_record(model.structure, factors, model.agent, record, covariates);
  result.impossible = explained.impossible;
  result.kinds = explained.kinds;
  if (result.impossible) return result;
  const std::vector<explain::DecisionIntervals> intervals =
      draws.empty() ? std::vector<explain::DecisionIntervals>()
                    : decision_intervals(model.structure, record.first(explained.decisions.size()),
                                         covariates, draws, level);
  const auto sentences = explain::decision_sentences(model.structure, factors, explained, intervals);
  for (std::size_t t = 0; t < explained.decisions.size(); ++t) {
    result.visits.push_back({std::to_string(t + 1), sentences[t], explained.decisions[t], {}, {}, {}, {}});
  }
  add_counterfactuals(model, record, covariates, result.visits);
  for (std::size_t t = 0; t < result.visits.size(); ++t) {
    const DecisionExplanation& decision = result.visits[t].decision;
    result.visits[t].without_factor =
        without_each_factor(model.structure, factors, model.agent, decision.belief, decision.step,
                            context_of(decision, record.first(t), covariates));
  }
  for (std::size_t t = 0; t < intervals.size(); ++t) {
    VisitExplanation& visit = result.visits[t];
    visit.belief = intervals[t].belief;
    visit.policy = intervals[t].policy;
    visit.probability = visit.policy[static_cast<std::size_t>(record[t].action)];
  }
  return result;
}

std::vector<VisitExplanation> explain_visits(const FitResult& fit, const Record& record, double level,
                                             std::uint64_t seed) {
  const Structure& structure = fit.model.structure;
  tree_of_records(structure, {&record, 1});
  VisitExplanations found =
      explain_visits(fit.model, outcome_factors(structure), record.steps,
                     fit.has_uncertainty() ? fit.draws(kUsualDraws, seed) : std::vector<AgentWorld>(), level,
                     record.covariates);
  if (found.impossible) {
    throw input_error(
        fmt::format("patient {}, step {}: the model calls what followed impossible (probability 0)",
                    base::shown(record.patient), *found.impossible + 1));
  }
  return std::move(found.visits);
}

}  // namespace interpole
