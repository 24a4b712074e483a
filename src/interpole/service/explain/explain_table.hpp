// Every decision of many records as rows of a CSV file (history_rows.hpp).
#pragma once

#include <string>

#include "interpole/service/explain/history_rows.hpp"
#include "interpole/trajectory.hpp"

namespace interpole::service {

class ExplainTable {
 public:
  // Keeps references to all but the path.
  ExplainTable(const std::string& path, const Structure& structure, const OutcomeFactors& factors,
               const Parameters& agent);
  ExplainTable(const ExplainTable&) = delete;
  ExplainTable& operator=(const ExplainTable&) = delete;

  HistoryRows& rows() { return rows_; }

 private:
  HistoryRows::Entry make_entry(std::span<const double> carried, Step step,
                                const DecisionContext& context) const;

  const Structure& structure_;
  const OutcomeFactors& factors_;
  const Policy& policy_;
  DecisionExplainer explainer_;
  HistoryRows rows_;
};

}  // namespace interpole::service
