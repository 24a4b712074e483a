#include <gmock/gmock.h>

#include "interpole/explain/audit/audit.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

TEST(AuditRecords, RaisesTheFlagsOfTheAuditOfTheirTree) {
  const Environment doctor = decision_tree();
  std::vector<Record> records;
  for (int patient = 1; patient <= 60; ++patient) records.push_back(simulate_record(doctor, 1, patient));
  const FitResult fit{doctor.truth, {}, {}, nullptr};
  const auto found = audit_records(fit, records);
  const Structure& structure = fit.model.structure;
  const AuditRules rules = audit_rules(structure, outcome_factors(structure), {});
  const HistoryTree tree = tree_of_records(structure, records);
  const Audit audit(tree, fit.model, {}, rules, {});
  ASSERT_EQ(found.size(), records.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const RecordAudit expected = audit.of(records[i].steps);
    EXPECT_EQ(found[i].excess, expected.excess);
    EXPECT_EQ(found[i].belated, expected.belated);
    EXPECT_EQ(found[i].tests.size(), expected.tests.size());
  }
}

}  // namespace
}  // namespace interpole::explain
