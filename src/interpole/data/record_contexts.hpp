// Records with the covariates that a policy follows, as the policy has them (DecisionContext): to apply it to
// data, those it was learned from or others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpole/data/records/visits.hpp"
#include "interpole/data_files.hpp"
#include "interpole/parameters.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// The covariates of a policy; those that none of its terms follows, and with which no starting belief
// differs, have no name here and are not read.
std::vector<PolicyCovariate> followed_covariates(const PolicyTerms& terms,
                                                 const std::vector<StartTerm>& start = {});
std::vector<PolicyCovariate> followed_covariates(const Parameters& agent);
bool any_followed(std::span<const PolicyCovariate> covariates);

// Names of those that the data do not have.
std::vector<std::string> absent_covariates(const Study& study, const DataFiles& files,
                                           std::span<const PolicyCovariate> covariates);

// These columns, then those of followed covariates that the data have and that are not among them.
std::vector<std::string> with_followed(std::vector<std::string> columns, const Study& study,
                                       const DataFiles& files, std::span<const PolicyCovariate> covariates);

// From the texts of a record, in columns of these names, to what a policy has. A covariate is not known
// (NaN), and its term then says nothing, where the cell is empty, where the category is one that the policy
// has not met, and where there is no such column. Where the policy expects a number and something else
// stands: input error.
class CovariateEncoder {
 public:
  // Keeps the covariates and the files, which messages name.
  CovariateEncoder(std::span<const PolicyCovariate> covariates, std::span<const std::string> columns,
                   const DataFiles& files);
  // Valid until the next call. Nothing if no covariate is followed.
  std::span<const double> of(std::span<const std::string> texts);

 private:
  std::span<const PolicyCovariate> covariates_;
  const DataFiles& files_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // covariate, column
  std::vector<double> values_;
};

// Valid during the call only; no covariates if none is followed.
using ContextVisitor = std::function<void(const RecordView& record, std::span<const double> covariates)>;

// Throws an input error as CovariateEncoder does, and where a record of a visits table has two values.
// `details` count where no covariate is followed.
void for_each_record_in_context(const Study& study, const DataFiles& files,
                                std::span<const PolicyCovariate> covariates, const ContextVisitor& visit,
                                RecordDetails details = RecordDetails::kAll);

HistoryTree read_tree_in_context(const Study& study, const DataFiles& files,
                                 std::span<const PolicyCovariate> covariates, RecordClasses classes,
                                 const std::vector<int>& start_by = {});

// The places of those with which a study says that starting beliefs may differ, and of a model's.
std::vector<int> start_places(const StartRequest& request, std::span<const PolicyCovariate> covariates);
std::vector<int> start_places(const std::vector<StartTerm>& start);

// A finite number, the whole of the text; NaN otherwise.
double number_of(const std::string& text);

}  // namespace interpole::data
