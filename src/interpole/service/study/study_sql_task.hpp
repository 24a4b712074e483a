// `interpole study sql`: the query that counts a study's records in a warehouse.
#pragma once

#include <cstdint>
#include <string>

namespace interpole::service {

struct StudySqlRequest {
  std::string study;
  std::string dialect;
  std::string table;  // the warehouse's; empty: as the study names it
  std::int64_t min_cell = 0;
  std::string output = "-";  // file to write; -: standard output; empty: none
};

// Returns the query. Throws a usage or input error as data::count_query does.
std::string run_study_sql(const StudySqlRequest& request);

}  // namespace interpole::service
