#include "interpole/service/fit/groups_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpole/data/covariate_source.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/cohorts/asked_cohorts.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/service/fit/group_words.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/name_study.hpp"
#include "interpole/service/publication/publication.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {
namespace {

struct GroupTrees {
  explain::NamedGroups named{};
  std::vector<HistoryTree> trees{};
  HistoryTree all{};
  explain::CohortData patients;
  std::vector<std::string> notes{};
};

// Small groups are put together: a group's records should not be readable from its policy. `covariates`:
// those of the cohorts beside which sizes are shown.
GroupTrees read_groups(const Study& study, const GroupsRequest& request,
                       const std::vector<std::string>& covariates) {
  const int actions = study.structure.action_count();
  std::map<std::string, std::vector<Record>> records;
  HistoryTreeBuilder all(actions);
  GroupTrees result{.patients = explain::CohortData(covariates)};
  std::int64_t unnamed = 0;
  const auto take = [&](const data::RecordView& record, std::span<const std::string> values) {
    all.add(record.steps, record.diagnoses, study.structure.state_count());  // diagnoses name the states
    result.patients.add({}, values, record.group);
    if (record.group.empty()) {
      ++unnamed;
      return;
    }
    records[std::string(record.group)].push_back({{}, {record.steps.begin(), record.steps.end()}});
  };
  if (covariates.empty()) {
    data::for_each_record(study, request.data, [&](const data::RecordView& record) { take(record, {}); });
  } else {
    data::for_each_record_with(study, request.data, covariates, take);
  }
  result.all = all.build();
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [name, list] : records) sizes[name] = static_cast<std::int64_t>(list.size());
  result.named = explain::named_groups(sizes, request.min_cell);
  std::vector<std::vector<Record>> together(result.named.names.size());
  for (auto& [name, list] : records) {
    const auto place = result.named.place.find(name);
    if (place == result.named.place.end()) continue;
    auto& group = together[static_cast<std::size_t>(place->second)];
    group.insert(group.end(), list.begin(), list.end());
  }
  for (const auto& list : together) result.trees.push_back(build_history_tree(actions, list));
  if (result.named.left_out) {
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
  require_separate_files({{"option ledger", request.ledger}},
                         with_data({{"option study", request.study}}, request.data));
  const Study study = read_study(request.study);
  if (!study.mapping || study.mapping->group.empty()) {
    throw input_error(fmt::format(
        "{}: group: the study names no site or clinician; add [group] with its column", request.study));
  }
  std::optional<explain::Ledger> ledger =
      open_ledger({request.ledger, request.study, request.data, request.min_cell});
  const auto published = ledger ? ledger->published() : std::vector<explain::PublishedCohort>();
  const GroupTrees groups =
      read_groups(study, request, explain::needed_covariates(study, explain::with_published({}, published)));
  if (groups.trees.size() < 2) {
    throw input_error(
        fmt::format("{}: {}: fewer than two groups have {} patients or more; there is nothing to compare",
                    request.study, study.mapping->group, request.min_cell));
  }
  GroupsOutcome outcome;
  outcome.structure = study.structure;
  outcome.groups = groups.named.names;
  outcome.place = groups.named.place;
  outcome.notes = groups.notes;
  const auto own = explain::default_cohorts(groups.patients, data::declared_covariates(study));
  outcome.sizes =
      explain::cohort_tables(groups.patients, own, {request.min_cell, request.level, published}).groups;
  outcome.fit = name_study(request.study, [&] {
    return learn::fit_groups(groups.all, groups.trees, study, request.options, sink);
  });
  if (outcome.fit.common.impossible_node) {
    throw impossible_by_study(study, request.data, groups.all, *outcome.fit.common.impossible_node);
  }
  outcome.structure = outcome.fit.common.problem.structure;  // with the units in which numbers were learned
  if (!outcome.fit.proper) outcome.notes.push_back("intervals are rough: the posterior has no clear peak");
  for (const explain::SideBoundary& boundary :
       explain::side_boundaries(outcome.structure, outcome.fit.common.parameters.policy)) {
    outcome.boundaries.push_back(by_group(outcome.structure, boundary, outcome.fit, request.level));
  }
  outcome.judgement = judge_groups(outcome.fit, outcome.groups, groups.trees, request.options.fit.threads);
  for (const learn::GroupCause cause : {learn::GroupCause::kPatients, learn::GroupCause::kPicture}) {
    if (!outcome.fit.likeliest().what.has(cause)) continue;
    for (NumberByGroup& number : numbers_by_group(outcome.structure, outcome.fit, cause, request.level)) {
      outcome.numbers.push_back(std::move(number));
    }
  }
  outcome.sentences = sentences_of(outcome);
  for (const std::string& note : outcome.notes) sink.warn(note);
  if (ledger) {
    explain::CohortTables told;
    told.groups = outcome.sizes;
    ledger->add(explain::published_by(told));
  }
  return outcome;
}

}  // namespace interpole::service
