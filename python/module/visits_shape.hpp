// A visits table in memory, before the library reads it: rows numbered where the table does not do so, and
// what actions and observations it has.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpole/data/sources/column_memory.hpp"
#include "interpole/data_files.hpp"

namespace interpole::python {

// Where there are columns patient and action, and no column step: numbers the rows of each patient from 1.
void number_rows(MemoryTable& table, data::TableMemory& memory);

struct VisitsOutline {
  std::vector<std::pair<std::string, bool>> actions;  // by name; whether it ends records
  std::vector<std::string> observations;              // by name
};

// An action ends records if nothing is ever seen after it, no row of the same patient follows, and other
// actions are followed. Throws an input error if a column is missing or a row has no action.
VisitsOutline outline_of(const MemoryTable& table);

}  // namespace interpole::python
