// Small tables, everything at once.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/records/visits.hpp"

namespace interpole::data {

inline std::vector<Record> read_records(const std::string& path, const Structure& structure) {
  std::vector<Record> records;
  for_each_record(path, structure, [&](const RecordView& record) { records.push_back(kept(record)); });
  return records;
}

}  // namespace interpole::data
