// Records with covariates chosen by name: those a study declares, and the columns of its tables; of a visits
// table every column beyond the four it needs; of counts those they tell apart. A value is that of the
// record's first row.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpole/data/records/visits.hpp"
#include "interpole/data_files.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// Those a study declares, in its order; none for a visits table.
std::vector<std::string> declared_covariates(const Study& study);
// All that can be asked for: declared ones first, then columns.
std::vector<std::string> covariate_names(const Study& study, const DataFiles& files);

// `values`: one for each of `names`, empty text where there is none; valid during the call only. The names
// must be among covariate_names().
using CovariateVisitor = std::function<void(const RecordView& record, std::span<const std::string> values)>;
// kOneForARecord: a visits table in which the rows of one record differ is refused (input error).
enum class CovariateRule { kOfTheFirstRow, kOneForARecord };
void for_each_record_with(const Study& study, const DataFiles& files, const std::vector<std::string>& names,
                          const CovariateVisitor& visit, CovariateRule rule = CovariateRule::kOfTheFirstRow);

}  // namespace interpole::data
