#include "interpole/data/policy_covariates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/dealt_visits.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kMostCategories = 200;
constexpr std::size_t kFewestNumbers = 3;  // fewer distinct values are categories, whatever they look like

using Texts = std::vector<std::string>;

// Where the study names it.
const char* table_of(const Study& study, const std::string& name) {
  const auto& context = study.policy.context;
  const bool of_policy =
      study.policy.group == name || std::find(context.begin(), context.end(), name) != context.end();
  return of_policy ? "[policy]" : "[initial_belief]";
}

PolicyCovariate described(const Study& study, const std::string& files, const std::string& name,
                          const CovariateCounts& classes, std::size_t column) {
  std::set<std::string> distinct;
  bool numbers = true;
  for (const auto& [values, records] : classes) {
    if (values[column].empty()) continue;
    distinct.insert(values[column]);
    numbers &= !std::isnan(number_of(values[column]));
  }
  if (distinct.empty()) {
    throw input_error(
        fmt::format("{}: the covariate {} of the study's {} has no value in any record; remove it there",
                    files, base::shown(name), table_of(study, name)));
  }
  PolicyCovariate covariate{name, {}, 0.0, 1.0};
  if (!numbers || distinct.size() < kFewestNumbers) {
    if (distinct.size() > kMostCategories) {
      throw input_error(
          fmt::format("{}: the covariate {} of the study's {} has {} different values, too many to learn of "
                      "each; name a coarser one",
                      files, base::shown(name), table_of(study, name), distinct.size()));
    }
    covariate.categories.assign(distinct.begin(), distinct.end());
    return covariate;
  }
  double known = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const auto& [values, records] : classes) {
    const double value = number_of(values[column]);
    if (std::isnan(value)) continue;
    known += records;
    sum += records * value;
  }
  covariate.centre = sum / known;
  for (const auto& [values, records] : classes) {
    const double value = number_of(values[column]);
    if (!std::isnan(value)) squares += records * (value - covariate.centre) * (value - covariate.centre);
  }
  covariate.scale = std::sqrt(squares / known);
  return covariate;
}

void require_covariates(const Study& study, const DataFiles& files, const Texts& names) {
  const Texts known = covariate_names(study, files);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw input_error(fmt::format("{}: there is no covariate {}, which the study's {} names; there are: {}",
                                  files.shown(), base::shown(name), table_of(study, name),
                                  fmt::join(known, ", ")));
  }
}

}  // namespace

void describe_covariates(Study& study, const DataFiles& files) {
  const Texts names = named_covariates(study);
  if (names.empty()) return;
  require_covariates(study, files, names);
  auto& covariates = study.known.policy.terms.covariates;
  covariates.clear();
  CovariateCounts classes;
  if (!deal_covariate_counts(study, files, names, classes)) {
    for_each_record_with(
        study, files, names,
        [&](const RecordView& record, std::span<const std::string> values) {
          classes[Texts(values.begin(), values.end())] += static_cast<double>(record.count);
        },
        CovariateRule::kOneForARecord);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    covariates.push_back(described(study, files.shown(), names[i], classes, i));
}

HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files) {
  describe_covariates(study, files);
  const auto& covariates = study.known.policy.terms.covariates;
  return read_tree_in_context(study, files, covariates, RecordClasses::kTogether,
                              start_places(study.starts, covariates));
}

}  // namespace interpole::data
