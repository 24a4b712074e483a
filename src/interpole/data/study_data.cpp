#include "interpole/data/study_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/counts_table.hpp"
#include "interpole/data/dealt_visits.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/data/sources/table_parts.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

void require_records(const DataFiles& files, const Attrition& attrition) {
  if (attrition.rows_in == 0) {
    throw input_error(fmt::format("{}: there are no rows; nothing to learn from", files.shown()));
  }
  if (attrition.patients_kept > 0) return;
  const auto most = std::max_element(attrition.dropped.begin(), attrition.dropped.end(),
                                     [](const auto& x, const auto& y) { return x.rows < y.rows; });
  throw input_error(
      fmt::format("{}: no record is left of {} rows; most ({}) went by \"{}\" (interpole study check "
                  "shows all); correct the study",
                  files.shown(), attrition.rows_in, most->rows, most->reason));
}

}  // namespace

std::vector<std::string> visits_files(const DataFiles& files) {
  std::vector<std::string> parts;
  for (const auto& [name, file] : files.tables) {
    if (!name.empty()) {
      throw usage_error(
          fmt::format("option data {0}={1}: the study has no table {2}: without [source] it reads a visits "
                      "table; write option data {1}",
                      name, file, base::shown(name)));
    }
    parts.push_back(file);
  }
  require_distinct_parts(parts);
  return parts;
}

const std::string& counts_path(const DataFiles& files) {
  return files.tables.at(0).second;
}

HistoryTree read_tree(const Study& study, const DataFiles& files) {
  if (files.counts) {
    HistoryTreeBuilder builder(study.structure.action_count());
    builder.forget_order();
    for_each_record(study, files, [&](const RecordView& record) {
      builder.add(record.steps, record.diagnoses, study.structure.state_count(), record.count);
    });
    return builder.build();
  }
  if (!study.mapping) {
    if (auto tree = dealt_tree(study, files)) return std::move(*tree);
    return read_history_tree(visits_files(files), study.structure);
  }
  MappingReport report;
  HistoryTree tree = read_mapped_tree(study, files, &report);
  require_records(files, report.attrition);
  return tree;
}

void for_each_record(const Study& study, const DataFiles& files, const RecordVisitor& visit,
                     RecordDetails details) {
  if (files.counts) {
    return CountsTable(counts_path(files), study).for_each([&](const RecordView& record, auto) {
      visit(record);
      return true;
    });
  }
  if (!study.mapping) return for_each_record(visits_files(files), study.structure, visit);
  MappingReport report;
  for_each_mapped_record(
      study, files,
      [&](const RecordView& record) {
        visit(record);
        return true;
      },
      &report, details);
  require_records(files, report.attrition);
}

KeptRecord record_at(const Study& study, const DataFiles& files, std::int64_t index) {
  if (files.counts) return CountsTable(counts_path(files), study).record_at(index);
  if (!study.mapping) return record_at(visits_files(files), study.structure, index);
  std::int64_t next = 0;
  KeptRecord found;
  for_each_mapped_record(
      study, files,
      [&](const RecordView& record) {
        if (next == index) found = kept(record);
        return next++ != index;
      },
      nullptr, RecordDetails::kVisits);
  if (found.patient.empty()) {
    throw input_error(
        fmt::format("{}: there is no record {} among its {}; was it changed after it was first read?",
                    files.shown(), index, next));
  }
  return found;
}

}  // namespace interpole::data
