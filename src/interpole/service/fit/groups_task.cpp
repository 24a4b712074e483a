#include "interpole/service/fit/groups_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/service/fit/group_words.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/name_study.hpp"

namespace interpole::service {
namespace {

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
  for (const auto& draw : fit.policy_draws) {
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

}  // namespace

GroupsOutcome run_groups(const GroupsRequest& request, Sink& sink) {
  request.options.fit.validate();
  const Study study = read_study(request.study);
  require_no_times(study.structure, "groups");
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
  outcome.judgement = judge_groups(outcome.fit, outcome.groups, groups.trees, request.options.fit.threads);
  for (const learn::GroupCause cause : {learn::GroupCause::kPatients, learn::GroupCause::kPicture}) {
    if (!outcome.fit.likeliest().what.has(cause)) continue;
    for (NumberByGroup& number : numbers_by_group(study.structure, outcome.fit, cause, request.level)) {
      outcome.numbers.push_back(std::move(number));
    }
  }
  outcome.sentences = sentences_of(outcome);
  for (const std::string& note : outcome.notes) sink.warn(note);
  return outcome;
}

}  // namespace interpole::service
