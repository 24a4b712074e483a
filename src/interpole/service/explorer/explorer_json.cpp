#include "interpole/service/explorer/explorer_json.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/service/explorer/explorer_terms.hpp"
#include "interpole/service/explorer/shown_outcomes.hpp"

namespace interpole::service {
namespace {

using Json = ExplorerJson;

Json row_json(const std::vector<double>& numbers, std::size_t begin, std::size_t size) {
  Json row = Json::array();
  for (std::size_t i = 0; i < size; ++i) row.push_back(numbers[begin + i]);
  return row;
}

Json dynamics_json(const Structure& structure, const Dynamics& dynamics) {
  const std::size_t S = structure.states.size();
  const auto Z = static_cast<std::size_t>(structure.observation_columns());
  Json transition = Json::array();
  Json observation = Json::array();
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    Json moves = Json::array();
    Json outcomes = Json::array();
    for (std::size_t s = 0; s < S; ++s) {
      moves.push_back(row_json(dynamics.transition, (a * S + s) * S, S));
      outcomes.push_back(row_json(dynamics.observation, (a * S + s) * Z, Z));
    }
    transition.push_back(moves);
    observation.push_back(structure.is_terminal(static_cast<int>(a)) ? Json(nullptr) : outcomes);
  }
  return {{"initial_belief", dynamics.initial}, {"transition", transition}, {"observation", observation}};
}

Json means_json(const Structure& structure, const Policy& policy) {
  const std::size_t S = structure.states.size();
  Json means = Json::array();
  for (std::size_t a = 0; a < structure.actions.size(); ++a)
    means.push_back(row_json(policy.means, a * S, S));
  return means;
}

// Two actions may be equally likely beyond the end of a side, where there is no belief.
void cut_to_side(Estimate& position) {
  for (double* x : {&position.middle, &position.low, &position.high}) *x = std::clamp(*x, 0.0, 1.0);
}

}  // namespace

Json finite_json(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json finite_json(const std::optional<double>& x) {
  return x ? finite_json(*x) : Json(nullptr);
}

Json interval_json(const Estimate& x) {
  return {{"middle", finite_json(x.middle)}, {"low", finite_json(x.low)}, {"high", finite_json(x.high)}};
}

Json interval_json(const std::optional<Estimate>& x) {
  return x ? interval_json(*x) : Json(nullptr);
}

Json explorer_model_json(const Model& model, bool individual) {
  const Structure& structure = model.structure;
  const PolicyTerms& terms = model.agent.policy.terms;
  Json terminal = Json::array();
  Json allowed = Json::array();
  for (int a = 0; a < structure.action_count(); ++a) {
    terminal.push_back(structure.is_terminal(a));
    Json row = Json::array();
    for (int z = 0; z < structure.observation_count(); ++z) row.push_back(structure.can_yield(a, z));
    allowed.push_back(row);
  }
  Json json = {{"states", structure.states},
               {"actions", structure.actions},
               {"observations", structure.observations},
               {"terminal", terminal},
               {"allowed", allowed}};
  json.update(dynamics_json(structure, model.agent.dynamics));
  json["inverse_temperature"] = model.agent.policy.inverse_temperature;
  json["means"] = means_json(structure, model.agent.policy);
  if (!terms.none()) {
    json["policy"] = explorer_policy_json(structure, individual ? terms : without_covariates(terms));
  }
  json["world"] = model.world ? dynamics_json(structure, *model.world) : Json(nullptr);
  if (structure.measured()) json["measured"] = explorer_measured_json(structure);
  if (structure.timed()) {
    const bool rates = structure.time->rule == TimeRule::kGenerators;
    json["time"] = {{"unit", structure.time->unit},
                    {"rule", rates ? "rates" : "steps"},
                    {"typical", structure.time->typical_gap()},
                    {"wait", rates ? Json(nullptr) : Json(structure.time->wait)}};
  }
  return json;
}

Json explorer_draws_json(const std::vector<AgentWorld>& draws, const std::string& source, bool individual) {
  const std::size_t shown = std::min<std::size_t>(kShownDraws, draws.size());
  const bool with_terms = std::any_of(draws.begin(), draws.end(),
                                      [](const AgentWorld& draw) { return !draw.agent.policy.terms.none(); });
  std::vector<std::vector<double>> agents;
  for (std::size_t i = 0; i < shown; ++i) {
    const Parameters& agent = draws[i * draws.size() / shown].agent;
    std::vector<double>& numbers = agents.emplace_back();
    const auto add = [&](const std::vector<double>& values) {
      numbers.insert(numbers.end(), values.begin(), values.end());
    };
    add(agent.dynamics.initial);
    add(agent.dynamics.transition);
    add(agent.dynamics.observation);
    add({agent.policy.inverse_temperature});
    add(agent.policy.means);
    if (with_terms) {
      const PolicyTerms terms = individual ? agent.policy.terms : without_covariates(agent.policy.terms);
      add({terms.inertia, terms.lapse});
      for (const PolicyTerm& term : terms.additive) add(term.weights);
    }
  }
  // Draws of one number are alike: side by side they pack into a tenth less.
  Json numbers = Json::array();
  for (std::size_t k = 0; !agents.empty() && k < agents.front().size(); ++k) {
    Json of_draws = Json::array();
    for (const std::vector<double>& agent : agents) of_draws.push_back(agent[k]);
    numbers.push_back(of_draws);
  }
  return {{"source", source}, {"numbers", numbers}};
}

Json explorer_words_json(const std::vector<data::StudyWord>& words) {
  Json json = Json::object();
  for (const data::StudyWord& word : words) {
    json[word.usual] = word.many.empty() ? Json{word.one} : Json{word.one, word.many};
  }
  return json;
}

Json explorer_factors_json(const Structure& structure, const OutcomeFactors& factors) {
  Json level = Json::array();
  for (int z = 0; z < structure.observation_count(); ++z) {
    Json row = Json::array();
    for (int k = 0; k < factors.count(); ++k) row.push_back(factors.level_of(z, k));
    level.push_back(row);
  }
  Json measured = Json::array();
  for (int a = 0; a < structure.action_count(); ++a) {
    Json row = Json::array();
    for (int k = 0; k < factors.count(); ++k) row.push_back(factors.measures(a, k));
    measured.push_back(row);
  }
  return {{"names", factors.names}, {"levels", factors.levels}, {"level", level}, {"measured", measured}};
}

Json explorer_boundary_json(const explain::SideBoundary& b) {
  return {{"from", b.from},         {"to", b.to},          {"before", b.before}, {"after", b.after},
          {"position", b.position}, {"estimate", nullptr}, {"present", nullptr}};
}

Json explorer_boundary_json(const explain::SideBoundaryEstimate& boundary) {
  Json json = explorer_boundary_json(boundary.boundary);
  json["estimate"] = interval_json(boundary.position);
  json["present"] = boundary.present;
  return json;
}

std::vector<explain::SideBoundaryEstimate> explorer_boundaries(const Structure& structure,
                                                               const Policy& policy,
                                                               const std::vector<AgentWorld>& draws) {
  if (draws.empty()) return {};
  auto boundaries = explain::estimate_side_boundaries(structure, policy, draws, kExplorerLevel);
  for (explain::SideBoundaryEstimate& boundary : boundaries) cut_to_side(boundary.position);
  return boundaries;
}

Json explorer_boundaries_json(const Structure& structure, const Policy& policy,
                              const std::vector<AgentWorld>& draws,
                              const std::vector<explain::SideBoundaryEstimate>& estimates) {
  Json list = Json::array();
  for (const explain::SideBoundaryEstimate& boundary : estimates)
    list.push_back(explorer_boundary_json(boundary));
  if (!draws.empty()) return list;
  for (const explain::SideBoundary& boundary : explain::side_boundaries(structure, policy))
    list.push_back(explorer_boundary_json(boundary));
  return list;
}

Json explorer_groups_json(const GroupsOutcome& outcome, const std::vector<explain::GroupSize>& sizes) {
  Json groups = Json::array();
  Json policies = Json::array();
  for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
    groups.push_back({{"group", outcome.groups[g]},
                      {"patients", sizes[g].patients ? Json(*sizes[g].patients) : Json(nullptr)}});
    const Policy& policy = outcome.fit.policies[g];
    policies.push_back({{"inverse_temperature", policy.inverse_temperature},
                        {"means", means_json(outcome.structure, policy)}});
  }
  Json boundaries = Json::array();
  for (const BoundaryByGroup& boundary : outcome.boundaries) {
    Json json = explorer_boundary_json(boundary.boundary);
    json["groups"] = Json::array();
    for (const Estimate& position : boundary.positions) json["groups"].push_back(interval_json(position));
    json["largest_gap"] = interval_json(boundary.largest_gap);
    json["lowest"] = boundary.lowest;
    json["highest"] = boundary.highest;
    json["difference"] = interval_json(boundary.difference);
    boundaries.push_back(json);
  }
  return {{"groups", groups},
          {"sentences", outcome.sentences},
          {"verdict", name_of(outcome.judgement.verdict)},
          {"cause", outcome.judgement.cause},
          {"policies_differ", outcome.judgement.says_policies_differ()},
          {"log_bayes_factor", finite_json(outcome.judgement.log_bayes_factor)},
          {"hypotheses", hypotheses_json(outcome)},
          {"boundaries", boundaries},
          {"policies", policies},
          {"notes", outcome.notes}};
}

}  // namespace interpole::service
