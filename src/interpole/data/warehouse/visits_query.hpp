// The steps of a visits table's records as SQL. Internal.
#pragma once

#include "interpole/data/warehouse/record_steps.hpp"
#include "interpole/data/warehouse/sql_dialect.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// `table`: as SQL names it. What a visits table must be is said in data/records/visits.hpp.
RecordSteps visits_steps(const Study& study, const SqlDialect& dialect, const std::string& table);

}  // namespace interpole::data
