// The front door to the data of a study, whether it is a visits table, tables of the user's own or counts of
// alike records, which come once each with their count.
#pragma once

#include <cstdint>

#include "interpole/data/records/visits.hpp"
#include "interpole/data_files.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

// All throw a usage error if the files are not those the study asks for, and an input error that names the
// place if they cannot be read or hold no record.
HistoryTree read_tree(const Study& study, const DataFiles& files);
void for_each_record(const Study& study, const DataFiles& files, const RecordVisitor& visit,
                     RecordDetails details = RecordDetails::kAll);

// Record number `index` (as in HistoryTree::first_record), found by reading the data again.
KeptRecord record_at(const Study& study, const DataFiles& files, std::int64_t index);

// The file of counts, of data that are counts.
const std::string& counts_path(const DataFiles& files);
// The parts of the visits table of a study that does not map a table.
std::vector<std::string> visits_files(const DataFiles& files);

}  // namespace interpole::data
