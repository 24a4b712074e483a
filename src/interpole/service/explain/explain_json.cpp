#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/service/explain/explain_task.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json by_name(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    json[names[i]] = std::isfinite(values[i]) ? Json(values[i]) : Json(nullptr);
  }
  return json;
}

Json interval(const Estimate& x) {
  return {{"low", x.low}, {"high", x.high}};
}

Json shift_json(const Structure& structure, const BeliefShift& shift) {
  return {{"belief", by_name(structure.states, shift.belief)},
          {"log_odds", by_name(structure.states, shift.log_odds)}};
}

Json move_json(const ExplainOutcome& outcome, const BeliefMove& move) {
  Json factors = Json::object();
  for (const auto& share : move.factors) {
    factors[outcome.factors.names[share.factor]] = shift_json(outcome.structure, share.shift);
  }
  return {{"after", by_name(outcome.structure.states, move.after)},
          {"outcome_probability", move.chance},
          {"total", shift_json(outcome.structure, move.total)},
          {"time", shift_json(outcome.structure, move.time)},
          {"evidence", shift_json(outcome.structure, move.evidence)},
          {"evidence_by_factor", factors}};
}

Json branch_json(const Structure& structure, const OutcomeBranch& branch) {
  return {{"observation",
           branch.observation == kMissing ? Json(nullptr) : Json(structure.outcome_name(branch.observation))},
          {"probability", branch.chance},
          {"belief", by_name(structure.states, branch.belief)},
          {"next_policy", by_name(structure.actions, branch.policy)},
          {"next_likeliest_action", structure.actions[branch.next_action]}};
}

Json branches_json(const Structure& structure, const ActionBranches& branches) {
  Json outcomes = Json::array();
  for (const auto& branch : branches.outcomes) outcomes.push_back(branch_json(structure, branch));
  return {{"action", structure.actions[branches.action]},
          {"expected_information_bits", branches.information},
          {"expected_information_bits_world",
           branches.information_world ? Json(*branches.information_world) : Json(nullptr)},
          {"could_change_next_likeliest_action", branches.decides},
          {"expected_change_of_next_decision", branches.expected_change},
          {"not_done", branch_json(structure, branches.unseen)},
          {"outcomes", outcomes}};
}

Json visit_json(const ExplainOutcome& outcome, const VisitExplanation& visit) {
  const Structure& structure = outcome.structure;
  const DecisionExplanation& decision = visit.decision;
  Json json = {{"visit", visit.visit},
               {"sentence", visit.sentence},
               {"action", structure.actions[decision.step.action]},
               {"observation", decision.step.observation == kMissing
                                   ? Json(nullptr)
                                   : Json(structure.outcome_name(decision.step.observation))},
               {"belief", by_name(structure.states, decision.belief)},
               {"policy", by_name(structure.actions, decision.policy)},
               {"likeliest_action", structure.actions[decision.region]},
               {"probability", decision.probability},
               {"surprise_bits", decision.surprise},
               {"tail_probability", decision.tail}};
  if (!decision.kinds.empty()) json["kinds"] = decision.kinds;
  if (visit.probability) {
    Json beliefs = Json::object();
    for (std::size_t s = 0; s < visit.belief.size(); ++s)
      beliefs[structure.states[s]] = interval(visit.belief[s]);
    json["belief_interval"] = beliefs;
    json["probability_interval"] = interval(*visit.probability);
    Json policies = Json::object();
    for (std::size_t a = 0; a < visit.policy.size(); ++a)
      policies[structure.actions[a]] = interval(visit.policy[a]);
    json["policy_interval"] = policies;
  }
  json["nearest_boundary"] = nullptr;
  if (decision.boundary) {
    json["nearest_boundary"] = {{"action", structure.actions[decision.boundary->action]},
                                {"distance", decision.boundary->distance},
                                {"shift", by_name(structure.states, decision.boundary->shift)}};
  }
  json["move"] = decision.move ? move_json(outcome, *decision.move) : Json(nullptr);
  Json branches = Json::array();
  for (const auto& action : visit.counterfactuals) branches.push_back(branches_json(structure, action));
  json["counterfactuals"] = branches;
  Json without = Json::object();
  for (const FactorBranch& factor : visit.without_factor) {
    Json branch = branch_json(structure, factor.branch);
    branch.erase("observation");  // only a part of it was read
    without[outcome.factors.names[factor.factor]] = branch;
  }
  json["without_factor"] = without;
  return json;
}

}  // namespace

std::string to_json(const ExplainOutcome& outcome) {
  Json visits = Json::array();
  for (const auto& visit : outcome.visits) visits.push_back(visit_json(outcome, visit));
  Json json = {{"patient", outcome.patient},
               {"visits", visits},
               {"intervals_from", outcome.source.empty() ? Json(nullptr) : Json(outcome.source)},
               {"warnings", outcome.warnings}};
  if (!outcome.kinds.empty()) json["kinds"] = outcome.kinds;
  return json.dump(2);
}

}  // namespace interpole::service
