// `interpole study check`: does a study fit its data, what is kept of them, and what to beware of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/data/mapping/mapping_report.hpp"
#include "interpole/data/records/data_summary.hpp"
#include "interpole/data/seen/seen_evidence.hpp"
#include "interpole/data_files.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

struct StudyCheckRequest {
  std::string study;
  DataFiles data;  // none: the study alone is checked
};

struct StudyCheck {
  Study study;
  std::optional<data::DataSummary> summary;    // with data
  std::optional<data::MappingReport> mapping;  // of a study that maps tables of its own
  std::vector<std::string> warnings;           // without identifiers
  data::SeenDoubt seen_doubt;                  // whether measurements are read the wrong way round
};

// Throws an input error if study or data cannot be read. Data of which no record is left are a result: the
// report says where they went.
StudyCheck run_study_check(const StudyCheckRequest& request, Sink& sink);

std::string to_json(const StudyCheck& check);

}  // namespace interpole::service
