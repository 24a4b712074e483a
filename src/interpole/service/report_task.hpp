// `interpole report`: one self-contained HTML file about a model and its data.
#pragma once

#include <string>

#include "interpole/base/sink.hpp"
#include "interpole/data/data_files.hpp"

namespace interpole {

struct ReportRequest {
  std::string model;
  std::string study;  // needed if the data are not a visits table; empty: none
  DataFiles data;
  std::string output;
  std::string title;  // empty: the data file's name
};

void run_report(const ReportRequest& request, Sink& sink);

}  // namespace interpole
