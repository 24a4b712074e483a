// `interpole report`: the explorer with a model and its data in it, one self-contained HTML file.
#pragma once

#include <string>

#include "interpole/service/explorer/explorer_data.hpp"

namespace interpole::service {

struct ReportRequest : ExplorerRequest {
  std::string output;   // HTML file; empty: none
  std::string payload;  // the explorer's data alone, as JSON; empty: none
};

// Says what is in the file, and how large it is, before writing it.
void run_report(const ReportRequest& request, Sink& sink);

}  // namespace interpole::service
