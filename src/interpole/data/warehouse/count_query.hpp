// `interpole study sql`: one commented query that counts the distinct records of a study in a warehouse.
#pragma once

#include <cstdint>
#include <string>

#include "interpole/data/warehouse/sql_dialect.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

struct CountQueryOptions {
  SqlDialect dialect{SqlDialect::Kind::kDuckdb};
  // The warehouse's table or view, with the columns of a visits table or of what the study's source.sql
  // returns. Empty: `visits`, or the table or SQL that the study names.
  std::string table;
  std::int64_t min_cell = 0;  // sequences of fewer records are left out and counted; 0 or 1: none
  void validate() const;      // throws a usage error
};

// Its result is what CountsTable reads. Throws an input error where the study asks for something that cannot
// be said in SQL alone, or not in this dialect.
std::string count_query(const Study& study, const CountQueryOptions& options);

}  // namespace interpole::data
