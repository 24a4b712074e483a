// What the explorer says first: at most three sentences, the most telling in front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/service/explorer/explorer_json.hpp"

namespace interpole::service {

struct ExplorerFindings {
  const Structure* structure = nullptr;
  const Parameters* agent = nullptr;
  const std::vector<explain::SideBoundaryEstimate>* boundaries = nullptr;  // empty: not known how sure
  const HistoryTree* tree = nullptr;
  const ExplorerBias* bias = nullptr;     // null: none
  const GroupsOutcome* groups = nullptr;  // null: none
  const explain::CohortTables* cohorts = nullptr;
  const explain::AuditRules* rules = nullptr;
  double certainty = 0.0;  // of flags; 0: not known
};

std::vector<std::string> findings_of(const ExplorerFindings& found);

}  // namespace interpole::service
