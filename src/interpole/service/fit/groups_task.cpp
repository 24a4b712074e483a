#include "interpole/service/fit/groups_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/intervals_json.hpp"
#include "interpole/service/name_study.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

const double kSpeaks = std::log(3.0);  // evidence from three to one on

struct GroupTrees {
  std::vector<std::string> names;
  std::vector<HistoryTree> trees;
  HistoryTree all;
  std::map<std::string, int> place;
  std::vector<std::string> notes;
};

// Small groups are put together: a group's records should not be readable from its policy.
GroupTrees read_groups(const Study& study, const GroupsRequest& request) {
  const int actions = study.structure.action_count();
  std::map<std::string, std::vector<Record>> records;
  HistoryTreeBuilder all(actions);
  std::int64_t unnamed = 0;
  data::for_each_record(study, request.data, [&](const data::RecordView& record) {
    all.add(record.steps, record.diagnoses, study.structure.state_count());  // diagnoses name the states
    if (record.group.empty()) {
      ++unnamed;
      return;
    }
    records[std::string(record.group)].push_back({{}, {record.steps.begin(), record.steps.end()}});
  });
  GroupTrees result;
  result.all = all.build();
  std::vector<Record> small;
  std::vector<std::string> small_groups;
  for (auto& [name, list] : records) {
    if (explain::is_small(static_cast<std::int64_t>(list.size()), request.min_cell)) {
      small.insert(small.end(), list.begin(), list.end());
      small_groups.push_back(name);
      continue;
    }
    result.place[name] = static_cast<int>(result.names.size());
    result.names.push_back(name);
    result.trees.push_back(build_history_tree(actions, list));
  }
  if (!small.empty() && !explain::is_small(static_cast<std::int64_t>(small.size()), request.min_cell)) {
    for (const std::string& name : small_groups) result.place[name] = static_cast<int>(result.names.size());
    result.names.push_back(fmt::format("{} small groups together", small_groups.size()));
    result.trees.push_back(build_history_tree(actions, small));
  } else if (!small.empty()) {
    result.notes.push_back(
        fmt::format("groups with fewer than {} patients are left out of the comparison", request.min_cell));
  }
  if (unnamed > 0) result.notes.push_back("patients without a group are left out of the comparison");
  return result;
}

BoundaryByGroup by_group(const Structure& structure, const explain::SideBoundary& boundary,
                         const learn::GroupFit& fit, double level) {
  const std::size_t count = fit.policies.size();
  std::vector<std::vector<double>> positions(count);
  std::vector<double> gaps;
  for (const auto& draw : fit.draws) {
    double low = 1.0;
    double high = 0.0;
    for (std::size_t g = 0; g < count; ++g) {
      const auto position =
          explain::crossing(structure, draw[g], boundary.before, boundary.after, boundary.from, boundary.to);
      positions[g].push_back(std::clamp(position.value_or(1.0), 0.0, 1.0));
      low = std::min(low, positions[g].back());
      high = std::max(high, positions[g].back());
    }
    gaps.push_back(high - low);
  }
  BoundaryByGroup result{boundary, {}, estimate_of(std::move(gaps), level), 0, 0, {}};
  for (const auto& draws : positions) result.positions.push_back(estimate_of(draws, level));
  for (std::size_t g = 1; g < count; ++g) {
    const double middle = result.positions[g].middle;
    if (middle < result.positions[result.lowest].middle) result.lowest = static_cast<int>(g);
    if (middle > result.positions[result.highest].middle) result.highest = static_cast<int>(g);
  }
  std::vector<double> difference = positions[result.highest];
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= positions[result.lowest][i];
  result.difference = estimate_of(std::move(difference), level);
  return result;
}

std::string verdict(double log_bayes_factor) {
  const double ratio = std::exp(std::abs(log_bayes_factor));
  const std::string odds = ratio > 1e6 ? "more than a million to one" : fmt::format("{:.1f} to one", ratio);
  if (log_bayes_factor >= kSpeaks)
    return fmt::format("The records speak{} for different policies ({}).",
                       log_bayes_factor >= std::log(20.0) ? " clearly" : "", odds);
  if (log_bayes_factor <= -kSpeaks)
    return fmt::format("The records speak against different policies ({}).", odds);
  return fmt::format("The records cannot tell whether policies differ ({} {}).", odds,
                     log_bayes_factor >= 0.0 ? "for" : "against");
}

// Boundaries are worth a sentence each only if groups differ at all.
std::vector<std::string> sentences_of(const GroupsOutcome& outcome) {
  const double evidence = outcome.fit.log_bayes_factor();
  std::vector<std::string> result = {verdict(evidence)};
  if (evidence < kSpeaks) return result;
  for (const BoundaryByGroup& boundary : outcome.boundaries) {
    result.push_back(sentence_of(outcome, boundary));
  }
  return result;
}

}  // namespace

std::string sentence_of(const GroupsOutcome& outcome, const BoundaryByGroup& boundary) {
  const explain::SideBoundary& b = boundary.boundary;
  const std::string change = fmt::format("\"{}\" gives way to \"{}\"", outcome.structure.actions[b.before],
                                         outcome.structure.actions[b.after]);
  const std::string& state = outcome.structure.states[b.to];
  if (!boundary.differs()) {
    return fmt::format("No two groups surely differ in where {} between \"{}\" and \"{}\".", change,
                       outcome.structure.states[b.from], state);
  }
  return fmt::format("{} at {} \"{}\" in \"{}\", at {} in \"{}\".", change,
                     shown_percent(boundary.positions[boundary.lowest]), state,
                     outcome.groups[boundary.lowest], shown_percent(boundary.positions[boundary.highest]),
                     outcome.groups[boundary.highest]);
}

GroupsOutcome run_groups(const GroupsRequest& request, Sink& sink) {
  request.options.fit.validate();
  const Study study = read_study(request.study);
  if (!study.mapping || study.mapping->group.empty()) {
    throw input_error(fmt::format(
        "{}: group: the study names no site or clinician; add [group] with its column", request.study));
  }
  GroupTrees groups = read_groups(study, request);
  if (groups.trees.size() < 2) {
    throw input_error(
        fmt::format("{}: {}: fewer than two groups have {} patients or more; there is nothing to compare",
                    request.study, study.mapping->group, request.min_cell));
  }
  GroupsOutcome outcome;
  outcome.structure = study.structure;
  outcome.groups = groups.names;
  outcome.place = std::move(groups.place);
  outcome.notes = groups.notes;
  for (const HistoryTree& tree : groups.trees) outcome.patients.push_back(tree.records);
  outcome.fit = name_study(request.study, [&] {
    return learn::fit_groups(groups.all, groups.trees, study, request.options, sink);
  });
  if (outcome.fit.common.impossible_node) {
    throw impossible_by_study(study, request.data, groups.all, *outcome.fit.common.impossible_node);
  }
  if (!outcome.fit.proper) outcome.notes.push_back("intervals are rough: the posterior has no clear peak");
  for (const explain::SideBoundary& boundary :
       explain::side_boundaries(study.structure, outcome.fit.common.parameters.policy)) {
    outcome.boundaries.push_back(by_group(study.structure, boundary, outcome.fit, request.level));
  }
  outcome.sentences = sentences_of(outcome);
  for (const std::string& note : outcome.notes) sink.warn(note);
  return outcome;
}

std::string to_json(const GroupsOutcome& outcome) {
  Json boundaries = Json::array();
  for (const BoundaryByGroup& boundary : outcome.boundaries) {
    Json positions = Json::object();
    for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
      positions[outcome.groups[g]] = estimate_json(boundary.positions[g]);
    }
    const explain::SideBoundary& b = boundary.boundary;
    boundaries.push_back({{"before", outcome.structure.actions[b.before]},
                          {"after", outcome.structure.actions[b.after]},
                          {"from", outcome.structure.states[b.from]},
                          {"to", outcome.structure.states[b.to]},
                          {"all", b.position},
                          {"groups", positions},
                          {"largest_gap", estimate_json(boundary.largest_gap)},
                          {"furthest_apart",
                           {{"lowest", outcome.groups[boundary.lowest]},
                            {"highest", outcome.groups[boundary.highest]},
                            {"difference", estimate_json(boundary.difference)},
                            {"differ", boundary.differs() && outcome.fit.log_bayes_factor() >= kSpeaks}}}});
  }
  Json groups = Json::array();
  for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
    groups.push_back({{"group", outcome.groups[g]}, {"patients", outcome.patients[g]}});
  }
  return Json({{"sentences", outcome.sentences},
               {"log_bayes_factor", outcome.fit.log_bayes_factor()},
               {"spread", outcome.fit.spread},
               {"groups", groups},
               {"boundaries", boundaries},
               {"notes", outcome.notes}})
      .dump(2);
}

}  // namespace interpole::service
