#include <nlohmann/json.hpp>

#include "interpole/service/fit/groups_task.hpp"
#include "interpole/service/intervals_json.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json by_group(const GroupsOutcome& outcome, const std::vector<Estimate>& values) {
  Json json = Json::object();
  for (std::size_t g = 0; g < outcome.groups.size(); ++g) json[outcome.groups[g]] = estimate_json(values[g]);
  return json;
}

Json boundaries_json(const GroupsOutcome& outcome) {
  Json boundaries = Json::array();
  for (const BoundaryByGroup& boundary : outcome.boundaries) {
    const explain::SideBoundary& b = boundary.boundary;
    boundaries.push_back({{"before", outcome.structure.actions[b.before]},
                          {"after", outcome.structure.actions[b.after]},
                          {"from", outcome.structure.states[b.from]},
                          {"to", outcome.structure.states[b.to]},
                          {"all", b.position},
                          {"groups", by_group(outcome, boundary.positions)},
                          {"largest_gap", estimate_json(boundary.largest_gap)},
                          {"furthest_apart",
                           {{"lowest", outcome.groups[boundary.lowest]},
                            {"highest", outcome.groups[boundary.highest]},
                            {"difference", estimate_json(boundary.difference)},
                            {"differ", boundary.differs() && outcome.judgement.says_policies_differ()}}}});
  }
  return boundaries;
}

Json numbers_json(const GroupsOutcome& outcome) {
  Json numbers = Json::array();
  for (const NumberByGroup& number : outcome.numbers) {
    numbers.push_back({{"cause", name_of(number.cause)},
                       {"sentence", sentence_of(outcome.structure, outcome.groups, number)},
                       {"groups", by_group(outcome, number.values)},
                       {"difference", estimate_json(number.difference)}});
  }
  return numbers;
}

}  // namespace

nlohmann::ordered_json hypotheses_json(const GroupsOutcome& outcome) {
  Json hypotheses = Json::array();
  const std::vector<double> chances = outcome.fit.chances();
  for (std::size_t h = 0; h < outcome.fit.hypotheses.size(); ++h) {
    const learn::WeighedHypothesis& hypothesis = outcome.fit.hypotheses[h];
    hypotheses.push_back(
        {{"differ", name_of(hypothesis.what)},
         {"log_bayes_factor", hypothesis.log_evidence - outcome.fit.hypotheses.front().log_evidence},
         {"probability", chances[h]}});
  }
  return hypotheses;
}

std::string to_json(const GroupsOutcome& outcome) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
    groups.push_back(
        {{"group", outcome.groups[g]},
         {"patients", outcome.sizes[g].patients ? Json(*outcome.sizes[g].patients) : Json(nullptr)}});
  }
  const GroupJudgement& found = outcome.judgement;
  Json differ = Json::array();
  for (const learn::GroupCause cause : found.differ) differ.push_back(name_of(cause));
  return Json(
             {{"verdict", name_of(found.verdict)},
              {"cause", found.cause},
              {"reasons", found.reasons},
              {"unrecorded", found.unrecorded},
              {"sentences", outcome.sentences},
              {"log_bayes_factor", found.log_bayes_factor},
              {"differ", differ},
              {"probability",
               {{"patients", found.chances[0]}, {"picture", found.chances[1]}, {"policy", found.chances[2]}}},
              {"hypotheses", hypotheses_json(outcome)},
              {"groups", groups},
              {"numbers", numbers_json(outcome)},
              {"boundaries", boundaries_json(outcome)},
              {"notes", outcome.notes}})
      .dump(2);
}

}  // namespace interpole::service
