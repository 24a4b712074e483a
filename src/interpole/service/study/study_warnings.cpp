#include "interpole/service/study/study_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/base/number_text.hpp"

namespace interpole::service {
namespace {

constexpr double kManyMissing = 0.1;  // share of decisions without an outcome worth a warning

using Warnings = std::vector<std::string>;

void warn_of_size(const StudyCheck& check, Warnings& warnings) {
  const data::DataSummary& summary = *check.summary;
  const int states = check.study.structure.state_count();
  if (summary.patients == 0) {
    warnings.emplace_back("no record is left: there is nothing to learn from");
  } else if (summary.patients == 1) {
    warnings.emplace_back("there is one patient only: whatever is learned describes this one");
  } else if (summary.patients < states) {
    warnings.push_back(fmt::format("there are more states ({}) than patients ({}): use fewer states", states,
                                   summary.patients));
  }
  if (summary.patients > 0 && summary.lengths.rbegin()->first == 1) {
    warnings.emplace_back("every record has one visit only: nothing can be learned about how beliefs change");
  }
}

void warn_of_actions(const StudyCheck& check, Warnings& warnings) {
  for (std::size_t a = 0; a < check.summary->actions.size(); ++a) {
    if (check.summary->actions[a] > 0) continue;
    warnings.push_back(fmt::format("action {} is never taken: remove it, or check how actions are told",
                                   base::shown(check.study.structure.actions[a])));
  }
}

void warn_of_outcomes(const StudyCheck& check, Warnings& warnings) {
  const Structure& structure = check.study.structure;
  const data::DataSummary& summary = *check.summary;
  int possible = 0;
  int rare = 0;
  for (int z = 0; z < structure.observation_count(); ++z) {
    bool can = false;
    for (int a = 0; a < structure.action_count(); ++a) can = can || structure.can_yield(a, z);
    possible += can ? 1 : 0;
    rare += can && summary.observations[z] < kRareVisits ? 1 : 0;
  }
  if (rare > 0) {
    warnings.push_back(
        fmt::format("{} of {} possible outcomes are seen at fewer than {} visits: merge levels, or "
                    "expect the prior to speak for them",
                    rare, possible, kRareVisits));
  }
  // What is seen before the actions ends with the last of them: no row holds what came of that.
  const std::int64_t ends = check.study.mapping && check.study.mapping->sees_before() ? summary.patients : 0;
  const double share = static_cast<double>(std::max<std::int64_t>(0, summary.without_outcome - ends)) /
                       static_cast<double>(std::max<std::int64_t>(1, summary.decisions - ends));
  if (share >= kManyMissing) {
    warnings.push_back(
        fmt::format("{:.0f}% of visits have no outcome; there the belief moves by the passage of time "
                    "alone",
                    100.0 * share));
  }
}

void warn_of_factor(const Factor& factor, const data::FactorReport& report, Warnings& warnings) {
  const int measured = factor.measured_levels();
  const auto used = std::count_if(report.levels.begin(), report.levels.begin() + measured,
                                  [](std::int64_t visits) { return visits > 0; });
  if (used == 0) {
    warnings.push_back(
        fmt::format("factor {} has no value at any visit: remove it, or check its column and missing "
                    "codes",
                    base::shown(factor.name)));
  } else if (used == 1 && measured > 1) {
    warnings.push_back(fmt::format("factor {} never varies: it teaches nothing", base::shown(factor.name)));
  } else {
    for (int level = 0; level < measured; ++level) {
      if (report.levels[level] >= kRareVisits) continue;
      warnings.push_back(fmt::format("level {} of factor {} is seen at {}", base::shown(factor.levels[level]),
                                     base::shown(factor.name), base::counted(report.levels[level], "visit")));
    }
  }
  if (report.ignored > 0) {
    warnings.push_back(
        fmt::format("factor {} has a value at {} visits whose action does not yield it; these values "
                    "are ignored",
                    base::shown(factor.name), report.ignored));
  }
}

// The worst that can be wrong with a study, and nothing else would show it.
void warn_of_timing(const StudyCheck& check, Warnings& warnings) {
  const data::SeenDoubt& doubt = check.seen_doubt;
  if (doubt.factors.empty()) return;
  const std::optional<TableMapping>& mapping = check.study.mapping;
  std::vector<std::string> names;
  for (const std::size_t k : doubt.factors) {
    names.push_back(mapping ? mapping->factors[k].name : std::string("observation"));
  }
  const bool declared_before = mapping && mapping->factors[doubt.factors.front()].seen_before;
  const std::string evidence =
      doubt.by_gaps && doubt.comparison.gain <= 0.0
          ? "where a value is missing says so"
          : fmt::format("decisions are foretold better that way, by {:.3f} ± {:.3f} nats each",
                        doubt.comparison.gain, doubt.comparison.error);
  const std::string remedy = !mapping ? "map the table with [source] and say seen = \"before\" in [record]"
                             : declared_before ? "say seen = \"after\" in [record] or in the factor"
                                               : "say seen = \"before\" in [record] or in the factor";
  warnings.push_back(fmt::format(
      "{} {} to have been seen {} the action of the row, not {}: {}; {}, unless you know better",
      base::name_list(names), names.size() > 1 ? "seem" : "seems", declared_before ? "after" : "before",
      declared_before ? "before" : "after", evidence, remedy));
}

}  // namespace

std::vector<std::string> study_warnings(const StudyCheck& check) {
  Warnings warnings;
  warn_of_size(check, warnings);
  if (check.summary->patients == 0) return warnings;
  warn_of_timing(check, warnings);
  warn_of_actions(check, warnings);
  warn_of_outcomes(check, warnings);
  if (!check.mapping) return warnings;
  for (std::size_t k = 0; k < check.mapping->factors.size(); ++k) {
    warn_of_factor(check.study.mapping->factors[k], check.mapping->factors[k], warnings);
  }
  if (check.mapping->crowded > 0) {
    warnings.push_back(
        fmt::format("{} visits come sooner after the one before than the study's spacing allows",
                    check.mapping->crowded));
  }
  return warnings;
}

}  // namespace interpole::service
