// `interpole study check`: does a study fit its data, what is kept of them, and what to beware of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/base/sink.hpp"
#include "interpole/data/mapping/mapping_report.hpp"
#include "interpole/data/records/data_summary.hpp"
#include "interpole/data/study/study.hpp"
#include "interpole/data/tables/data_files.hpp"

namespace interpole {

struct StudyCheckRequest {
  std::string study;
  DataFiles data;  // none: the study alone is checked
};

struct StudyCheck {
  Study study;
  std::optional<DataSummary> summary;    // with data
  std::optional<MappingReport> mapping;  // of a study that maps tables of its own
  std::vector<std::string> warnings;     // without identifiers
};

// Throws an input error if study or data cannot be read. Data of which no record is left are a result: the
// report says where they went.
StudyCheck run_study_check(const StudyCheckRequest& request, Sink& sink);

std::string to_json(const StudyCheck& check);

}  // namespace interpole
