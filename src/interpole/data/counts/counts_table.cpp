#include "interpole/data/counts/counts_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/counts_key.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/data/records/visit_cells.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::string_view kMakeAgain =
    "make the counts again with the query that interpole study sql prints for this study";

int place_of_column(const std::vector<std::string>& columns, std::string_view name, const std::string& path) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) {
    throw input_error(
        fmt::format("{}: there is no column {}, which a table of counts has (there are: {}); {}", path, name,
                    fmt::join(columns, ", "), kMakeAgain));
  }
  return static_cast<int>(found - columns.begin());
}

}  // namespace

CountsTable::CountsTable(const std::string& path, const Study& study)
    : path_(path), codes_(study.structure, study.mapping && study.mapping->diagnosis) {
  read(study);
  std::sort(rows_.begin(), rows_.end(), [](const Row& x, const Row& y) {
    return std::tie(x.sequence, x.covariates) < std::tie(y.sequence, y.covariates);
  });
  require_distinct();
  require_records();
}

void CountsTable::refuse(std::int64_t row, std::string_view column, const std::string& message) const {
  throw input_error(fmt::format("{}: row {}: column {}: {}", path_, row, column, message));
}

void CountsTable::read(const Study& study) {
  DuckdbTable table(path_);
  const auto& columns = table.columns();
  std::vector<int> selected;
  for (const char* name : {"sequence", "records", "study_key"})
    selected.push_back(place_of_column(columns, name, path_));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto name = covariate_of_column(columns[i]);
    if (!name) continue;
    covariates_.push_back(*name);
    selected.push_back(static_cast<int>(i));
  }
  const std::string key = counts_key(study);
  table.select(selected);
  while (table.read()) {
    for (std::size_t i = 0; i < table.row_count(); ++i) {
      Row row{std::string(table.cells(0)[i].text), {}, 0, table.row_number(i)};
      if (table.cells(2)[i].text != key) {
        refuse(row.number, "study_key",
               fmt::format("{} is not the key of this study, {}: the codes would mean something else; {}{}",
                           base::shown(table.cells(2)[i].text), base::shown(key), kMakeAgain,
                           study.mapping ? "" : ", or name that study with option study"));
      }
      for (std::size_t c = 0; c < covariates_.size(); ++c)
        row.covariates.emplace_back(table.cells(3 + c)[i].text);
      take_row(std::move(row), std::string(table.cells(1)[i].text));
    }
  }
}

void CountsTable::take_row(Row row, const std::string& count) {
  const auto records = whole_number(count);
  if (!records || *records < 1) {
    refuse(row.number, "records",
           fmt::format("{} is not a count of records, a whole number from 1; {}", base::shown(count),
                       kMakeAgain));
  }
  row.records = *records;
  if (row.sequence.starts_with(kProblemRow)) {
    refuse(row.number, "sequence",
           fmt::format("the warehouse found {} record{} with {}; correct them there and run the query again",
                       row.records, row.records == 1 ? "" : "s", row.sequence.substr(kProblemRow.size())));
  }
  if (row.records > std::numeric_limits<std::int64_t>::max() / 1024 - total_) {
    refuse(row.number, "records", fmt::format("{}: the counts add up to more records than can be", count));
  }
  total_ += row.records;
  if (!row.sequence.starts_with(kRareRow)) return rows_.push_back(std::move(row));
  const auto sequences = whole_number(std::string_view(row.sequence).substr(kRareRow.size()));
  if (!sequences || *sequences < 1) {
    refuse(row.number, "sequence",
           fmt::format("{} does not say how many were rare; {}", base::shown(row.sequence), kMakeAgain));
  }
  rare_records_ += row.records;
  rare_sequences_ += *sequences;
}

void CountsTable::require_distinct() const {
  const auto twice = std::adjacent_find(rows_.begin(), rows_.end(), [](const Row& x, const Row& y) {
    return x.sequence == y.sequence && x.covariates == y.covariates;
  });
  if (twice == rows_.end()) return;
  const auto [first, second] = std::minmax(twice->number, (twice + 1)->number);
  refuse(second, "sequence",
         fmt::format("{} was already in row {}; a sequence has one row (with the same covariates): add up "
                     "what comes from several tables, or {}",
                     base::shown(twice->sequence), first, kMakeAgain));
}

// Also that every sequence is one.
void CountsTable::require_records() const {
  if (rows_.empty()) {
    throw input_error(fmt::format("{}: there are no counts{}; nothing to learn from", path_,
                                  rare_records_ > 0 ? " but those that were too rare to be given" : ""));
  }
  std::vector<Step> steps;
  std::vector<std::int32_t> diagnoses;
  for (const Row& row : rows_) {
    const std::string wrong = codes_.decode(row.sequence, steps, diagnoses);
    if (!wrong.empty()) refuse(row.number, "sequence", wrong + "; " + std::string(kMakeAgain));
  }
}

void CountsTable::for_each(const Visitor& visit) const {
  std::vector<Step> steps;
  std::vector<std::int32_t> diagnoses;
  std::vector<std::int64_t> numbers;
  for (const Row& row : rows_) {
    codes_.decode(row.sequence, steps, diagnoses);
    while (numbers.size() < steps.size()) numbers.push_back(static_cast<std::int64_t>(numbers.size()) + 1);
    RecordView record{{}, steps, std::span(numbers).first(steps.size())};
    record.diagnoses = diagnoses;
    record.count = row.records;
    if (!visit(record, row.covariates)) return;
  }
}

KeptRecord CountsTable::record_at(std::int64_t index) const {
  std::vector<std::int32_t> diagnoses;
  KeptRecord found;
  for (const Row& row : rows_) {
    if (index < row.records) {
      codes_.decode(row.sequence, found.steps, diagnoses);
      found.patient = fmt::format("row {}", row.number);
      found.numbers.resize(found.steps.size());
      std::iota(found.numbers.begin(), found.numbers.end(), 1);
      return found;
    }
    index -= row.records;
  }
  throw input_error(fmt::format("{}: there are fewer records than before; was it changed meanwhile?", path_));
}

}  // namespace interpole::data
