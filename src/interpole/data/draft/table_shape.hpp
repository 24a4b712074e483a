// Tables as people have them, made into one row for each visit: one row for each measurement ("long"), one
// column for each visit ("wide"), days written as 31.12.2024, numbers with a decimal comma, Latin-1 letters.
// What is done about it is a SELECT that the draft shows, so that nothing happens behind anybody's back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpole/data/draft/table_profile.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

inline constexpr const char* kRowColumn = "row in the table";

struct TableShape {
  SourceTables source;             // one table; its SELECT is empty where rows are taken as they are
  std::vector<std::string> notes;  // what the SELECT does, a sentence each
};

struct ShapedTable {
  TableShape shape;
  std::unique_ptr<ProfiledTable> table;  // in that shape

  // Wraps the present rows in a further SELECT, which names them as {}, and looks again.
  void select(const std::string& path, const std::string& sql, const std::string& note);
  // Adds a column kRowColumn that numbers the rows as they stand.
  void number_rows(const std::string& path);
  // Of rows that share their id and order, keeps the first; `repeats`: how many go, for the note.
  void keep_first_of(const std::string& path, const std::string& id, const std::string& order,
                     std::int64_t repeats);
};

// Opens what ProfiledTable opens, with the same complaints.
ShapedTable shape_table(const std::string& path);

// The name that a table's file has in a study.
std::string table_name(const std::string& path);

// Names and texts as SQL has them.
std::string quoted_name(const std::string& name);
std::string quoted_text(const std::string& text);

// The stem and the number of a column that holds one visit of several: "hba1c_v2" is hba1c at visit 2,
// "V2 HbA1c" HbA1c at 2; "month 6" has no stem. False: no such name.
bool split_visit_column(const std::string& name, std::string& stem, std::string& number);

}  // namespace interpole::data
