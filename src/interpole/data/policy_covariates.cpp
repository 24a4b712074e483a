#include "interpole/data/policy_covariates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kMostCategories = 200;
constexpr std::size_t kFewestNumbers = 3;  // fewer distinct values are categories, whatever they look like

using Texts = std::vector<std::string>;

// The distinct combinations of values, and how many records have each.
struct Classes {
  std::vector<Texts> texts;
  std::vector<double> records;
  std::map<Texts, std::size_t> index;

  void add(std::span<const std::string> values) {
    const auto [found, is_new] = index.try_emplace(Texts(values.begin(), values.end()), texts.size());
    if (is_new) {
      texts.emplace_back(values.begin(), values.end());
      records.push_back(0.0);
    }
    records[found->second] += 1.0;
  }
};

// Where the study names it.
const char* table_of(const Study& study, const std::string& name) {
  const auto& context = study.policy.context;
  const bool of_policy =
      study.policy.group == name || std::find(context.begin(), context.end(), name) != context.end();
  return of_policy ? "[policy]" : "[initial_belief]";
}

PolicyCovariate described(const Study& study, const std::string& name, const Classes& classes,
                          std::size_t column) {
  std::set<std::string> distinct;
  bool numbers = true;
  for (const Texts& values : classes.texts) {
    if (values[column].empty()) continue;
    distinct.insert(values[column]);
    numbers &= !std::isnan(number_of(values[column]));
  }
  if (distinct.empty()) {
    throw input_error(
        fmt::format("the covariate {} of the study's {} has no value in any record; remove it there",
                    base::shown(name), table_of(study, name)));
  }
  PolicyCovariate covariate{name, {}, 0.0, 1.0};
  if (!numbers || distinct.size() < kFewestNumbers) {
    if (distinct.size() > kMostCategories) {
      throw input_error(
          fmt::format("the covariate {} of the study's {} has {} different values, too many to learn "
                      "of each; name a "
                      "coarser one",
                      base::shown(name), table_of(study, name), distinct.size()));
    }
    covariate.categories.assign(distinct.begin(), distinct.end());
    return covariate;
  }
  double records = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < classes.texts.size(); ++i) {
    const double value = number_of(classes.texts[i][column]);
    if (std::isnan(value)) continue;
    records += classes.records[i];
    sum += classes.records[i] * value;
  }
  covariate.centre = sum / records;
  for (std::size_t i = 0; i < classes.texts.size(); ++i) {
    const double value = number_of(classes.texts[i][column]);
    if (!std::isnan(value))
      squares += classes.records[i] * (value - covariate.centre) * (value - covariate.centre);
  }
  covariate.scale = std::sqrt(squares / records);
  return covariate;
}

Texts wanted(const Study& study) {
  Texts names = study.policy.context;
  if (!study.policy.group.empty()) names.push_back(study.policy.group);
  for (const std::string& name : study.starts.by) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
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
  const Texts names = wanted(study);
  if (names.empty()) return;
  require_covariates(study, files, names);
  auto& covariates = study.known.policy.terms.covariates;
  covariates.clear();
  Classes classes;
  for_each_record_with(
      study, files, names,
      [&](const RecordView&, std::span<const std::string> values) { classes.add(values); },
      CovariateRule::kOneForARecord);
  for (std::size_t i = 0; i < names.size(); ++i) covariates.push_back(described(study, names[i], classes, i));
}

HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files) {
  describe_covariates(study, files);
  const auto& covariates = study.known.policy.terms.covariates;
  return read_tree_in_context(study, files, covariates, RecordClasses::kTogether,
                              start_places(study.starts, covariates));
}

}  // namespace interpole::data
