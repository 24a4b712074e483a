// What the explorer says first: at most three sentences, the most telling in front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/service/explorer/explorer_json.hpp"

namespace interpole {

struct ExplorerFindings {
  const Structure* structure = nullptr;
  const Parameters* agent = nullptr;
  const std::vector<SideBoundaryEstimate>* boundaries = nullptr;  // empty: not known how sure
  const HistoryTree* tree = nullptr;
  const ExplorerBias* bias = nullptr;     // null: none
  const GroupsOutcome* groups = nullptr;  // null: none
  const CohortTables* cohorts = nullptr;
  const AuditRules* rules = nullptr;
};

std::vector<std::string> findings_of(const ExplorerFindings& found);

}  // namespace interpole
