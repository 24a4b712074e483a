// A table of counts (CSV, Parquet or whatever else a table may be): one row for each distinct record and
// combination of covariates, with how many records are so. Columns `sequence` (step_codes.hpp), `records`,
// `study_key` (counts_key.hpp) and those of covariates (named_covariates.hpp); others are not looked at.
//
// A row `problem: …` says that the warehouse met records that cannot be read, and makes reading an error. A
// row `rare N` says how many records were left out because N sequences were too rare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/data/counts/step_codes.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// What rows begin with that are no records.
inline constexpr std::string_view kProblemRow = "problem: ";
inline constexpr std::string_view kRareRow = "rare ";

class CountsTable {
 public:
  // Throws an input error that names file, row, column, value and remedy for anything that cannot be counts
  // of this study. Holds the distinct records, as text.
  CountsTable(const std::string& path, const Study& study);

  const std::vector<std::string>& covariates() const { return covariates_; }  // names
  std::int64_t total() const { return total_; }                               // records, rare ones too
  std::int64_t rare_records() const { return rare_records_; }
  std::int64_t rare_sequences() const { return rare_sequences_; }

  // Every distinct record once, with its count, and its covariates as covariates() lists them (empty text:
  // none). Their order follows from what they are, never from the table's. `visit` returns false to stop.
  using Visitor = std::function<bool(const RecordView& record, std::span<const std::string> covariates)>;
  void for_each(const Visitor& visit) const;

  // Record number `index` if each stood as often as it is counted. As its patient, the row: "row 17".
  KeptRecord record_at(std::int64_t index) const;

 private:
  struct Row {
    std::string sequence;
    std::vector<std::string> covariates;
    std::int64_t records = 0;
    std::int64_t number = 0;  // that people find it by
  };
  [[noreturn]] void refuse(std::int64_t row, std::string_view column, const std::string& message) const;
  void read(const Study& study);
  void take_row(Row row, const std::string& count);
  void require_distinct() const;
  void require_records() const;

  std::string path_;
  StepCodes codes_;
  std::vector<std::string> covariates_;
  std::vector<Row> rows_;
  std::int64_t total_ = 0;
  std::int64_t rare_records_ = 0;
  std::int64_t rare_sequences_ = 0;
};

}  // namespace interpole::data
