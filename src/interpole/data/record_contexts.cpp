#include "interpole/data/record_contexts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/dealt_visits.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

double value_of(const PolicyCovariate& covariate, const std::string& text, const DataFiles& files) {
  if (text.empty()) return NAN;
  if (!covariate.categories.empty()) {
    const auto& known = covariate.categories;
    const auto found = std::find(known.begin(), known.end(), text);
    return found == known.end() ? NAN : static_cast<double>(found - known.begin());
  }
  const double value = number_of(text);
  if (!std::isnan(value)) return value;
  throw input_error(fmt::format(
      "{}: the covariate {} is {}, and the policy has it as a number; correct the table, or leave "
      "the cell empty where it is not known",
      files.shown(), base::shown(covariate.name), base::shown(text)));
}

}  // namespace

double number_of(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value : NAN;
}

std::vector<PolicyCovariate> followed_covariates(const Parameters& agent) {
  return followed_covariates(agent.policy.terms, agent.dynamics.start);
}

std::vector<int> start_places(const StartRequest& request, std::span<const PolicyCovariate> covariates) {
  std::vector<int> places;
  for (std::size_t i = 0; i < covariates.size(); ++i) {
    if (std::find(request.by.begin(), request.by.end(), covariates[i].name) != request.by.end())
      places.push_back(static_cast<int>(i));
  }
  return places;
}

std::vector<int> start_places(const std::vector<StartTerm>& start) {
  std::vector<int> places;
  places.reserve(start.size());
  for (const StartTerm& term : start) places.push_back(term.covariate);
  return places;
}

std::vector<PolicyCovariate> followed_covariates(const PolicyTerms& terms,
                                                 const std::vector<StartTerm>& start) {
  std::vector<PolicyCovariate> result(terms.covariates.size());
  for (const StartTerm& term : start) result[term.covariate] = terms.covariates[term.covariate];
  for (const PolicyTerm& term : terms.additive) {
    if (term.covariate >= 0) result[term.covariate] = terms.covariates[term.covariate];
  }
  return result;
}

bool any_followed(std::span<const PolicyCovariate> covariates) {
  return std::any_of(covariates.begin(), covariates.end(), [](const auto& x) { return !x.name.empty(); });
}

std::vector<std::string> absent_covariates(const Study& study, const DataFiles& files,
                                           std::span<const PolicyCovariate> covariates) {
  std::vector<std::string> absent;
  if (!any_followed(covariates)) return absent;
  const auto known = covariate_names(study, files);
  for (const PolicyCovariate& covariate : covariates) {
    if (!covariate.name.empty() && std::find(known.begin(), known.end(), covariate.name) == known.end())
      absent.push_back(covariate.name);
  }
  return absent;
}

std::vector<std::string> with_followed(std::vector<std::string> columns, const Study& study,
                                       const DataFiles& files, std::span<const PolicyCovariate> covariates) {
  const auto absent = absent_covariates(study, files, covariates);
  for (const PolicyCovariate& covariate : covariates) {
    const auto in = [&](const auto& list) {
      return std::count(list.begin(), list.end(), covariate.name) > 0;
    };
    if (!covariate.name.empty() && !in(absent) && !in(columns)) columns.push_back(covariate.name);
  }
  return columns;
}

CovariateEncoder::CovariateEncoder(std::span<const PolicyCovariate> covariates,
                                   std::span<const std::string> columns, const DataFiles& files)
    : covariates_(covariates), files_(files) {
  if (any_followed(covariates)) values_.assign(covariates.size(), NAN);
  for (std::size_t i = 0; i < covariates.size(); ++i) {
    const auto column = std::find(columns.begin(), columns.end(), covariates[i].name);
    if (!covariates[i].name.empty() && column != columns.end())
      pairs_.emplace_back(i, static_cast<std::size_t>(column - columns.begin()));
  }
}

std::span<const double> CovariateEncoder::of(std::span<const std::string> texts) {
  for (const auto& [covariate, column] : pairs_)
    values_[covariate] = value_of(covariates_[covariate], texts[column], files_);
  return values_;
}

void for_each_record_in_context(const Study& study, const DataFiles& files,
                                std::span<const PolicyCovariate> covariates, const ContextVisitor& visit,
                                RecordDetails details) {
  if (!any_followed(covariates)) {
    return for_each_record(
        study, files, [&](const RecordView& record) { visit(record, {}); }, details);
  }
  const auto names = with_followed({}, study, files, covariates);
  CovariateEncoder encoder(covariates, names, files);
  for_each_record_with(
      study, files, names,
      [&](const RecordView& record, std::span<const std::string> texts) { visit(record, encoder.of(texts)); },
      CovariateRule::kOneForARecord);
}

HistoryTree read_tree_in_context(const Study& study, const DataFiles& files,
                                 std::span<const PolicyCovariate> covariates, RecordClasses classes,
                                 const std::vector<int>& start_by) {
  if (!any_followed(covariates)) return read_tree(study, files);
  if (auto tree = dealt_tree(study, files, covariates, classes, start_by)) return std::move(*tree);
  HistoryTreeBuilder builder(study.structure.action_count(), true, classes, start_by);
  if (files.counts) builder.forget_order();
  for_each_record_in_context(
      study, files, covariates, [&](const RecordView& record, std::span<const double> values) {
        builder.set_covariates(values);
        builder.add(record.steps, record.diagnoses, study.structure.state_count(), record.count);
      });
  return builder.build();
}

}  // namespace interpole::data
