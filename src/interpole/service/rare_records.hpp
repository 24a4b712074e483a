// What counts of records have lost: said wherever they are read.
#pragma once

#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// Warns if the data are counts from which rare sequences were left out.
void warn_of_rare_records(const Study& study, const DataFiles& data, Sink& sink);

}  // namespace interpole::service
