#include "interpole/data/policy_covariates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "interpole/base/messages.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kMostCategories = 200;
constexpr std::size_t kFewestNumbers = 3;  // fewer distinct values are categories, whatever they look like

using Texts = std::vector<std::string>;

double number_of(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value : NAN;
}

// The distinct combinations of values, and how many records have each.
struct Classes {
  std::vector<Texts> texts;
  std::vector<double> records;
  std::map<Texts, std::size_t> index;

  std::size_t add(std::span<const std::string> values) {
    const auto [found, is_new] = index.try_emplace(Texts(values.begin(), values.end()), texts.size());
    if (is_new) {
      texts.emplace_back(values.begin(), values.end());
      records.push_back(0.0);
    }
    records[found->second] += 1.0;
    return found->second;
  }
};

PolicyCovariate described(const std::string& name, const Classes& classes, std::size_t column) {
  std::set<std::string> distinct;
  bool numbers = true;
  for (const Texts& values : classes.texts) {
    if (values[column].empty()) continue;
    distinct.insert(values[column]);
    numbers &= !std::isnan(number_of(values[column]));
  }
  if (distinct.empty()) {
    throw input_error(
        fmt::format("the covariate {} of the study's [policy] has no value in any record; remove it there",
                    base::shown(name)));
  }
  PolicyCovariate covariate{name, {}, 0.0, 1.0};
  if (!numbers || distinct.size() < kFewestNumbers) {
    if (distinct.size() > kMostCategories) {
      throw input_error(
          fmt::format("the covariate {} of the study's [policy] has {} different values, too many to learn "
                      "of each; name a "
                      "coarser one",
                      base::shown(name), distinct.size()));
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

double encoded(const PolicyCovariate& covariate, const std::string& text) {
  if (text.empty()) return NAN;
  if (covariate.categories.empty()) return number_of(text);
  const auto found = std::lower_bound(covariate.categories.begin(), covariate.categories.end(), text);
  return static_cast<double>(found - covariate.categories.begin());
}

Texts wanted(const Study& study) {
  Texts names = study.policy.context;
  if (!study.policy.group.empty()) names.push_back(study.policy.group);
  return names;
}

void require_covariates(const Study& study, const DataFiles& files, const Texts& names) {
  const Texts known = covariate_names(study, files);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw input_error(
        fmt::format("{}: there is no covariate {}, which the study's [policy] names; there are: {}",
                    files.shown(), base::shown(name), fmt::join(known, ", ")));
  }
}

}  // namespace

HistoryTree read_tree_with_covariates(Study& study, const DataFiles& files) {
  const Texts names = wanted(study);
  if (names.empty()) return read_tree(study, files);
  require_covariates(study, files, names);
  Classes classes;
  HistoryTreeBuilder builder(study.structure.action_count());
  for_each_record_with(
      study, files, names,
      [&](const RecordView& record, std::span<const std::string> values) {
        const double record_class = static_cast<double>(classes.add(values));
        builder.set_covariates({&record_class, 1});
        builder.add(record.steps, record.diagnoses, study.structure.state_count());
      },
      CovariateRule::kOneForARecord);
  HistoryTree tree = builder.build();
  auto& covariates = study.known.policy.terms.covariates;
  covariates.clear();
  for (std::size_t i = 0; i < names.size(); ++i) covariates.push_back(described(names[i], classes, i));
  // Until here a class was known by its number alone.
  const std::vector<double> numbers = std::move(tree.classes.covariates);
  tree.classes.covariate_count = static_cast<int>(names.size());
  tree.classes.covariates.clear();
  for (const double number : numbers) {
    const Texts& values = classes.texts[static_cast<std::size_t>(number)];
    for (std::size_t i = 0; i < names.size(); ++i) {
      tree.classes.covariates.push_back(encoded(covariates[i], values[i]));
    }
  }
  return tree;
}

}  // namespace interpole::data
