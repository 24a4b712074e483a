#include "interpole/explain/checks/unrecorded_sign.hpp"

#include <gtest/gtest.h>

#include "interpole/bias_audit.hpp"
#include "interpole/record_audit.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

// As a table without the sign has them.
std::vector<Record> without_the_sign(int patients) {
  std::vector<Record> records;
  simulate(signed_ward(), {.patients = patients, .seed = 5},
           [&](const Record& record) { records.push_back(record); });
  for (Record& record : records) {
    for (Step& step : record.steps) {
      if (step.observation != kMissing) step.observation /= 2;
    }
  }
  return records;
}

const FitResult& fit_of(const std::vector<Record>& records) {
  static const FitResult result = [&] {
    FitOptions options;
    options.policy = PolicyUse::kBelief;
    options.restarts = 2;
    return fit(DecisionProblem::open(plain_ward().truth.structure), records, options);
  }();
  return result;
}

TEST(HiddenInformation, IsNoticedAndSaysHowOftenTheSignIsRight) {
  const auto records = without_the_sign(700);
  const ModelChecks checks = check_model(fit_of(records), records);
  ASSERT_TRUE(checks.sign);
  const auto failed = checks.failed();
  const auto found =
      std::ranges::find_if(failed, [](const ModelCheck* check) { return check->name == kHiddenInformation; });
  ASSERT_NE(found, failed.end());
  EXPECT_NEAR((*found)->most.observed, 0.75, 0.12);
  EXPECT_EQ((*found)->most.expected, 0.5);
  EXPECT_GT((*found)->most.observed, (*found)->most.high);
  EXPECT_NE((*found)->sentence.find("A sign that the table does not hold would be right in "),
            std::string::npos)
      << (*found)->sentence;
  EXPECT_EQ(compare_agent_and_world(fit_of(records), records).verdict, BiasVerdict::kWithheld);
}

TEST(HiddenInformation, WithholdsBelatedDiagnoses) {
  const auto records = without_the_sign(700);
  AuditOptions options;
  options.tests = {"test"};
  options.near_certain = 0.7;
  const auto count = [&] {
    const auto found = audit_records(fit_of(records), records, options);
    return std::ranges::count_if(found, [](const RecordAudit& audit) { return audit.belated; });
  };
  EXPECT_EQ(count(), 0);
  options.hidden_information = false;
  EXPECT_GT(count(), 0);
}

TEST(BelatedDiagnoses, SayWhichSignWouldRemoveThem) {
  const auto records = without_the_sign(700);
  AuditOptions options;
  options.tests = {"test"};
  options.near_certain = 0.7;
  options.hidden_information = false;
  const FitResult& fitted = fit_of(records);
  for (const RecordAudit& audit : audit_records(fitted, records, options)) {
    EXPECT_TRUE(audit.belated || !audit.removable_by);
    if (!audit.removable_by) continue;
    EXPECT_GT(*audit.removable_by, 0.5);
    EXPECT_LE(*audit.removable_by, 0.951);
  }
}

TEST(HiddenInformation, IsAskedAboutOnlyWhereTheVerdictDependsOnIt) {
  const auto records = without_the_sign(700);
  FitResult fitted = fit_of(records);
  fitted.quality.log_bayes_factor = -1.0;
  EXPECT_FALSE(checks_for_verdict(fitted).hidden_information);
  fitted.quality.log_bayes_factor = 1.0;
  ModelCheckOptions options = checks_for_verdict(fitted);
  options.false_alarms = 1e-12;  // so that no other fails
  EXPECT_TRUE(check_model(fitted, records, options).sign);
  options.false_alarms = 0.9;  // so that some do
  const ModelChecks checks = check_model(fitted, records, options);
  EXPECT_FALSE(checks.failed().empty());
  EXPECT_FALSE(checks.sign);
}

TEST(HiddenInformation, HasToBeatADifferenceOfAgentAndWorld) {
  const SignProfile profile{{{0.5, 0.0}, {0.6, 20.0}, {0.7, 15.0}}, ""};
  EXPECT_LT(hidden_information(profile, {}).p_value, 1e-6);
  EXPECT_LT(hidden_information(profile, -3.0).p_value, 1e-6);
  EXPECT_EQ(hidden_information(profile, 30.0).p_value, 1.0);
}

}  // namespace
}  // namespace interpole::explain
