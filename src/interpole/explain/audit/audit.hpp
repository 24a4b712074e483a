// The audit of a data set: belated diagnoses, tests that could not have told anything, and records that are
// unlikely under the fitted policy, each with the visits behind it and how sure it is (docs/audit.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpole/explain/audit/node_flags.hpp"
#include "interpole/explain/audit/test_value.hpp"
#include "interpole/explain/audit/unlikely.hpp"
#include "interpole/model_checks.hpp"

namespace interpole::explain {

// What each of a few posterior draws says of one record.
struct ImputedFlags {
  std::uint32_t belated = 0;                 // a bit for each draw
  std::vector<std::uint16_t> uninformative;  // [draw]: how many tests
};
// Belated diagnoses are not called so where decisions follow a sign that the table does not hold: sets
// `no_belated`, if options ask for it and nothing else stands there.
void withhold_belated(const FitResult& fit, const HistoryTree& tree, const AuditOptions& options,
                      AuditRules& rules);
// By checks that were made already.
void withhold_belated(const ModelChecks& checks, AuditRules& rules);

class Audit {
 public:
  // Keeps references to tree, model and rules. `draws` may be empty: flags then carry no probability.
  Audit(const HistoryTree& tree, const Model& model, const std::vector<AgentWorld>& draws,
        const AuditRules& rules, const AuditOptions& options);

  // The record must be one of the tree's; its covariates count where the tree keeps classes of records apart.
  // Flags that stand in a smaller share of draws than options.certainty are none.
  RecordAudit of(std::span<const Step> record, std::span<const double> covariates = {}) const;

  // The same by each of a few posterior draws (FlagProbabilities::imputed), whatever is certain.
  ImputedFlags imputed(std::span<const Step> record, std::span<const double> covariates = {}) const;

  double least_move() const { return flags_.least_move; }
  // The first node the model calls impossible: nothing can be said then.
  std::optional<int> impossible() const { return flags_.impossible; }
  int draws() const { return probabilities_.draws; }
  const UnlikelyRecords& unlikely() const { return *unlikely_; }

 private:
  const HistoryTree& tree_;
  const Structure& structure_;
  const AuditRules& rules_;
  double certainty_;
  NodeFlags flags_;
  FlagProbabilities probabilities_;
  std::optional<UnlikelyRecords> unlikely_;
};

}  // namespace interpole::explain
