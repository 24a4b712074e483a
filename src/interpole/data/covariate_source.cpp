#include "interpole/data/covariate_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/counts_table.hpp"
#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

const std::array<std::string, 4> kOfVisits = {"patient", "step", "action", "observation"};

bool holds(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string identifier(const std::string& column) {
  std::string quoted = "\"";
  for (const char c : column) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

// The first row of each patient of a visits table, one patient after another: the order records come in.
class FirstRows {
 public:
  FirstRows(std::span<const std::string> parts, const std::vector<std::string>& names, CovariateRule rule)
      : table_(parts), names_(names), rule_(rule) {
    const auto& columns = table_.columns();
    const auto place = [&](const std::string& name) {
      return static_cast<int>(std::find(columns.begin(), columns.end(), name) - columns.begin());
    };
    std::vector<int> selected = {place(kOfVisits[0])};
    for (const std::string& name : names) selected.push_back(place(name));
    table_.select(selected);
    values_.resize(names.size());
  }

  const std::vector<std::string>& of(std::string_view patient) {
    while (next_row()) {
      const std::size_t here = row_++;
      if (table_.cells(0)[here].text != patient) {
        if (rule_ == CovariateRule::kOneForARecord) require_same(here);
        continue;
      }
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = table_.cells(i + 1)[here].text;
      return values_;
    }
    throw input_error(fmt::format("{}: reading it a second time gave other rows; was it changed meanwhile?",
                                  table_.path()));
  }

  // The rest of the last record.
  void finish() {
    while (next_row()) require_same(row_++);
  }

 private:
  bool next_row() {
    while (row_ == rows_) {
      if (!table_.read()) return false;
      rows_ = table_.row_count();
      row_ = 0;
    }
    return true;
  }

  // Rows that are passed over belong to the record before.
  void require_same(std::size_t here) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto value = table_.cells(i + 1)[here].text;
      if (value == values_[i]) continue;
      throw input_error(fmt::format(
          "{}: row {}: column {}: it is {} here and {} at the record's first visit; a policy can follow only "
          "what a record has from its beginning: give that a column of its own",
          table_.path(), table_.row_number(here), names_[i], base::shown(std::string(value)),
          base::shown(values_[i])));
    }
  }

  DuckdbTable table_;
  std::vector<std::string> names_;
  CovariateRule rule_;
  std::size_t rows_ = 0;
  std::size_t row_ = 0;
  std::vector<std::string> values_;
};

void for_each_counted_with(const CountsTable& counts, const std::vector<std::string>& names,
                           const CovariateVisitor& visit) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto& known = counts.covariates();
    places.push_back(static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin()));
  }
  std::vector<std::string> values(names.size());
  counts.for_each([&](const RecordView& record, std::span<const std::string> all) {
    for (std::size_t i = 0; i < places.size(); ++i) values[i] = all[places[i]];
    visit(record, values);
    return true;
  });
}

}  // namespace

std::vector<std::string> declared_covariates(const Study& study) {
  std::vector<std::string> names;
  if (!study.mapping) return names;
  for (const Covariate& covariate : study.mapping->covariates) names.push_back(covariate.name);
  return names;
}

std::vector<std::string> covariate_names(const Study& study, const DataFiles& files) {
  if (files.counts) return CountsTable(counts_path(files), study).covariates();
  std::vector<std::string> names = declared_covariates(study);
  std::vector<std::string> columns;
  if (study.mapping) {
    columns = LockedTables(*study.mapping, files).columns();
  } else {
    columns = DuckdbTable(visits_files(files)).columns();
    std::erase_if(columns, [](const std::string& name) { return holds(kOfVisits, name); });
  }
  for (const std::string& column : columns) {
    if (!holds(names, column)) names.push_back(column);
  }
  return names;
}

void for_each_record_with(const Study& study, const DataFiles& files, const std::vector<std::string>& names,
                          const CovariateVisitor& visit, CovariateRule rule) {
  if (files.counts) return for_each_counted_with(CountsTable(counts_path(files), study), names, visit);
  if (!study.mapping) {
    FirstRows rows(visits_files(files), names, rule);
    for_each_record(study, files, [&](const RecordView& record) { visit(record, rows.of(record.patient)); });
    if (rule == CovariateRule::kOneForARecord) rows.finish();
    return;
  }
  Study asked = study;
  asked.mapping->covariates.clear();
  for (const std::string& name : names) {
    const auto& declared = study.mapping->covariates;
    const auto found =
        std::find_if(declared.begin(), declared.end(), [&](const auto& x) { return x.name == name; });
    asked.mapping->covariates.push_back(found != declared.end() ? *found : Covariate{name, identifier(name)});
  }
  for_each_record(asked, files, [&](const RecordView& record) { visit(record, record.covariates); });
}

}  // namespace interpole::data
