// The steps of the records of a study that maps tables, as SQL. Internal.
#pragma once

#include "interpole/data/warehouse/record_steps.hpp"
#include "interpole/data/warehouse/sql_dialect.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// In the order of docs/mapping.md, as data/mapping has it. `table`: a table or view that takes the place of
// the study's tables and their SQL; empty: none does. Throws an input error where the study asks for cuts
// that depend on the population, or for SQL that the dialect has no counterpart of.
RecordSteps mapped_steps(const Study& study, const SqlDialect& dialect, const std::string& table);

}  // namespace interpole::data
