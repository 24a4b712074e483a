#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/audit/audit.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
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

// Straight from the definition, in the context of each decision.
double excess_by_hand(const Model& model, const Record& record) {
  std::vector<double> belief = model.agent.dynamics.initial;
  std::vector<double> next(belief.size());
  std::vector<double> logs(model.structure.actions.size());
  double excess = 0.0;
  for (std::size_t t = 0; t < record.steps.size(); ++t) {
    const auto context = context_after(std::span(record.steps).first(t), record.covariates);
    log_action_probabilities(model.structure, model.agent.policy, belief, context, logs);
    excess -= logs[record.steps[t].action];
    for (const double x : logs) excess += std::exp(x) * x;
    if (model.structure.is_terminal(record.steps[t].action)) break;
    update_belief(model.structure, model.agent.dynamics, record.steps[t].action, record.steps[t].observation,
                  belief, next);
    belief = next;
  }
  return excess;
}

TEST(AuditRecords, JudgesEveryDecisionInItsContext) {
  const Environment clinic = ward();
  std::vector<Record> records;
  for (int patient = 1; patient <= 200; ++patient) records.push_back(simulate_record(clinic, 1, patient));
  const FitResult fit{clinic.truth, {}, {}, nullptr};
  const auto found = audit_records(fit, records);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].excess, excess_by_hand(fit.model, records[i]), 1e-9);
  }
  const auto unlikely = std::count_if(found.begin(), found.end(), [](const auto& x) { return x.unlikely; });
  EXPECT_LE(unlikely, 4) << "records of the model itself";
}

// The ward's first belief lies on the boundary between waiting and testing to the last bit, and every record
// begins there. On either side of it the fit is sure of itself now and then: in each of these sets it was,
// and called two hundred patients and more late who were not.
TEST(AuditRecords, NobodyIsCertainlyLateWhereTestingAndWaitingAreAllButEquallyLikely) {
  const Environment clinic = plain_ward();
  int flags = 0;
  int right = 0;
  for (const std::uint64_t seed : {72003, 72004, 72017}) {
    std::vector<Record> records;
    for (int patient = 1; patient <= 1000; ++patient)
      records.push_back(simulate_record(clinic, seed, patient));
    learn::FitOptions options;
    options.policy = PolicyUse::kAuto;
    options.seed = 72;
    const HistoryTree tree = build_history_tree(3, records);
    const auto summary =
        learn::fit(tree, DecisionProblem::open(clinic.truth.structure), options, quiet_sink());
    AuditOptions audit;
    audit.tests = {"test"};
    const auto found = audit_records(learn::result_of(summary, ""), records, audit);
    const auto truth = audit_records(FitResult{clinic.truth, {}, {}, nullptr}, records, audit);
    for (std::size_t i = 0; i < records.size(); ++i) {
      flags += found[i].belated;
      right += found[i].belated && truth[i].belated;
    }
  }
  EXPECT_GT(flags, 50);
  EXPECT_GE(right, 0.85 * flags) << right << " of " << flags;
}

}  // namespace
}  // namespace interpole::explain
