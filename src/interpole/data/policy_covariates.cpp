#include "interpole/data/policy_covariates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

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

// Categories of fewer than `fewest` records go; how many there were.
std::size_t leave_out_rare(std::map<std::string, double>& records, std::int64_t fewest) {
  return std::erase_if(records,
                       [&](const auto& category) { return category.second < static_cast<double>(fewest); });
}

PolicyCovariate described(const Study& study, const std::string& files, const std::string& name,
                          const CovariateCounts& classes, std::size_t column, std::int64_t fewest,
                          std::vector<std::string>& left_out) {
  std::map<std::string, double> distinct;  // and how many records have each
  bool numbers = true;
  for (const auto& [values, records] : classes) {
    if (values[column].empty()) continue;
    distinct[values[column]] += static_cast<double>(records);
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
    const std::size_t rare = leave_out_rare(distinct, fewest);
    if (distinct.empty()) {
      throw input_error(fmt::format(
          "{}: the covariate {} of the study's {} has no category of {} records or more, and what is "
          "learned of fewer would name them; remove it there, or choose a smaller min-cell",
          files, base::shown(name), table_of(study, name), fewest));
    }
    if (rare > 0) {
      left_out.push_back(fmt::format(
          "of the covariate {}, {} fewer than {} records: nothing is learned of {} (option min-cell)",
          base::shown(name), rare == 1 ? "a category has" : fmt::format("{} categories each have", rare),
          fewest, rare == 1 ? "it" : "them"));
    }
    for (const auto& [category, records] : distinct) covariate.categories.push_back(category);
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

std::vector<std::string> describe_covariates(Study& study, const DataFiles& files, std::int64_t fewest) {
  std::vector<std::string> left_out;
  const Texts names = named_covariates(study);
  if (names.empty()) return left_out;
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
    covariates.push_back(described(study, files.shown(), names[i], classes, i, fewest, left_out));
  return left_out;
}

HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files, std::int64_t fewest,
                                      std::vector<std::string>* left_out) {
  const std::vector<std::string> sentences = describe_covariates(study, files, fewest);
  if (left_out != nullptr) left_out->insert(left_out->end(), sentences.begin(), sentences.end());
  const auto& covariates = study.known.policy.terms.covariates;
  return read_tree_in_context(study, files, covariates, RecordClasses::kTogether,
                              start_places(study.starts, covariates));
}

}  // namespace interpole::data
