// The visits table: a header `patient,step,action,observation` (further columns are covariates), rows of a
// patient in step order. Read through DuckDB: CSV, JSON, Parquet and databases. It may be in several files,
// its parts, whose rows follow each other: a record may begin in one and go on in the next.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/records.hpp"

namespace interpole::data {

// One record as it stands in the table; valid during the call only.
struct RecordView {
  std::string_view patient;
  std::span<const Step> steps;
  std::span<const std::int64_t> numbers;  // the table's `step` of each; 1, 2, … if a mapping made the record
  // Only from a mapping (study_data.hpp), where the study asks for them:
  std::span<const std::string> visits = {};      // the visit of each step, as the table has it
  std::span<const std::int32_t> diagnoses = {};  // the state recorded at each step; −1: none
  std::span<const std::string> covariates = {};  // as the study lists them; empty text: no value
  std::string_view group = {};
  std::int64_t count = 1;  // how many records are so; above 1 only from a table of counts (data/counts)
};

// A record that outlasts the call, with what tells people where its steps stand.
struct KeptRecord : Record {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> visits;  // of a mapped record only
};
KeptRecord kept(const RecordView& record);

// What a mapped record comes with: with kVisits, neither covariates nor group, which take a quarter of the
// time.
enum class RecordDetails { kVisits, kAll };

// Calls `visit` for each record in the order of the table, streaming: one record is held at a time.
// Throws an input error naming file, row, column and value for anything that cannot be a record.
using RecordVisitor = std::function<void(const RecordView& record)>;
void for_each_record(const std::string& path, const Structure& structure, const RecordVisitor& visit);
void for_each_record(std::span<const std::string> parts, const Structure& structure,
                     const RecordVisitor& visit);

// Straight into the tree, never holding all rows.
HistoryTree read_history_tree(const std::string& path, const Structure& structure);
HistoryTree read_history_tree(std::span<const std::string> parts, const Structure& structure);

// Record number `index` (as in HistoryTree::first_record), found by reading the table again.
KeptRecord record_at(std::span<const std::string> parts, const Structure& structure, std::int64_t index);

}  // namespace interpole::data
