#include "interpole/data/covariate_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
  FirstRows(const std::string& path, const std::vector<std::string>& names) : path_(path), table_(path) {
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
    while (true) {
      if (row_ == rows_) {
        if (!table_.read()) break;
        rows_ = table_.row_count();
        row_ = 0;
        continue;
      }
      const std::size_t here = row_++;
      if (table_.cells(0)[here].text != patient) continue;
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = table_.cells(i + 1)[here].text;
      return values_;
    }
    throw input_error(
        fmt::format("{}: reading it a second time gave other rows; was it changed meanwhile?", path_));
  }

 private:
  std::string path_;
  DuckdbTable table_;
  std::size_t rows_ = 0;
  std::size_t row_ = 0;
  std::vector<std::string> values_;
};

}  // namespace

std::vector<std::string> declared_covariates(const Study& study) {
  std::vector<std::string> names;
  if (!study.mapping) return names;
  for (const Covariate& covariate : study.mapping->covariates) names.push_back(covariate.name);
  return names;
}

std::vector<std::string> covariate_names(const Study& study, const DataFiles& files) {
  std::vector<std::string> names = declared_covariates(study);
  std::vector<std::string> columns;
  if (study.mapping) {
    columns = LockedTables(*study.mapping, files).columns();
  } else {
    columns = DuckdbTable(visits_file(files)).columns();
    std::erase_if(columns, [](const std::string& name) { return holds(kOfVisits, name); });
  }
  for (const std::string& column : columns) {
    if (!holds(names, column)) names.push_back(column);
  }
  return names;
}

void for_each_record_with(const Study& study, const DataFiles& files, const std::vector<std::string>& names,
                          const CovariateVisitor& visit) {
  if (!study.mapping) {
    FirstRows rows(visits_file(files), names);
    return for_each_record(study, files,
                           [&](const RecordView& record) { visit(record, rows.of(record.patient)); });
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
