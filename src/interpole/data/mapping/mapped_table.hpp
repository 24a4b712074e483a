// Records out of the user's own tables, as a study's mapping says (docs/mapping.md). DuckDB reads, cleans,
// codes and sorts, on all cores and on disk where memory does not suffice; what comes here is one small row
// for each visit, in order, and one record is held at a time.
//
// Records come in the order of their ids: whole numbers by value, then other texts.
#pragma once

#include "interpole/data/mapping/mapping_report.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// Both throw an input error naming file and row (or patient and visit), column and value for anything that
// cannot be part of a record. No record at all is not an error here; the report says where they went.

// With diagnoses, if the study names a column of them. `visit` sees patient, steps, numbers and diagnoses.
HistoryTree read_mapped_tree(const Study& study, const DataFiles& files, MappingReport* report = nullptr,
                             const RecordVisitor& visit = {});

// Computes the covariates of every row, which the tree does without, and throws an input error that names the
// key if one cannot be computed.
void check_covariates(const Study& study, const DataFiles& files);

// A record row by row, as the table has it: what stands beside which action, whichever came first.
struct RowsView {
  std::span<const Step> steps;  // actions; their outcomes are not to be used
  std::size_t factors = 0;
  std::span<const int> digits;  // [row × factors]: 0 no value, 1 + level (cut as if seen before the actions)
  std::span<const double> numbers;  // [row × factors]: of factors that are taken as they were measured
};
// `visit` returns false to stop. The study's own `seen` and `yielded_by` do not matter.
void for_each_mapped_rows(const Study& study, const DataFiles& files,
                          const std::function<bool(const RowsView& rows)>& visit);

// `visit` returns false to stop.
void for_each_mapped_record(const Study& study, const DataFiles& files,
                            const std::function<bool(const RecordView& record)>& visit,
                            MappingReport* report = nullptr, RecordDetails details = RecordDetails::kAll);

}  // namespace interpole::data
