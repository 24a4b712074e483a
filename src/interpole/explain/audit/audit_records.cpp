#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/explain/audit/audit.hpp"

namespace interpole {

std::vector<RecordAudit> audit_records(const FitResult& fit, std::span<const Record> records,
                                       const AuditOptions& options) {
  options.validate();
  const Structure& structure = fit.model.structure;
  explain::AuditRules rules = explain::audit_rules(structure, outcome_factors(structure), options);
  const HistoryTree tree = tree_of_records(structure, records, RecordClasses::kApart);
  explain::withhold_belated(fit, tree, options, rules);
  const auto draws = fit.has_uncertainty() ? fit.draws(kUsualDraws, options.seed) : std::vector<AgentWorld>();
  const explain::Audit audit(tree, fit.model, draws, rules, options);
  if (audit.impossible()) {
    throw input_error(
        fmt::format("record {}, step {}: the model calls what followed impossible (probability 0)",
                    tree.first_record[*audit.impossible()], tree.depth[*audit.impossible()]));
  }
  std::vector<RecordAudit> result;
  for (const Record& record : records) result.push_back(audit.of(record.steps, record.covariates));
  return result;
}

}  // namespace interpole
