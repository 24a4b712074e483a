#include "interpole/explain/audit/archetypes.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/environments/adni/adni.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

class AdniArchetypes : public ::testing::Test {
 protected:
  AdniArchetypes() {
    study_.structure = truth_.structure;
    factors_ = outcome_factors(study_);
    for (int i = 1; i <= 400; ++i) records_.push_back(simulate_record(environment_, 7, i, 3 + i % 9));
    tree_ = build_history_tree(truth_.structure.action_count(), records_);
    rules_ = audit_rules(truth_.structure, factors_, {});
    audit_.emplace(tree_, truth_, std::vector<AgentWorld>(), rules_, AuditOptions());
    finder_.emplace(truth_, *audit_, rules_);
    for (std::size_t i = 0; i < records_.size(); ++i) finder_->add(std::to_string(i), records_[i].steps);
  }

  std::vector<std::vector<double>> beliefs(const std::vector<Step>& steps) const {
    std::vector<std::vector<double>> path = {truth_.agent.dynamics.initial};
    for (const Step& step : steps) {
      std::vector<double> next(3);
      update_belief(truth_.structure, truth_.agent.dynamics, step.action, step.observation, path.back(),
                    next);
      path.push_back(next);
    }
    return path;
  }
  static double severity(const std::vector<double>& belief) { return belief[1] + 2 * belief[2]; }

  const Environment environment_ = adni();
  const Model& truth_ = environment_.truth;
  Study study_;
  OutcomeFactors factors_;
  std::vector<Record> records_;
  HistoryTree tree_;
  AuditRules rules_;
  std::optional<Audit> audit_;
  std::optional<ArchetypeFinder> finder_;
};

TEST_F(AdniArchetypes, TheTypicalRecordEndsNearestToTheFirstState) {
  const auto& best = finder_->best(Archetype::kTypical);
  ASSERT_TRUE(best);
  const auto last = beliefs(best->steps).back();
  EXPECT_GT(last[0], last[1]);
  EXPECT_GT(last[0], last[2]);
}

TEST_F(AdniArchetypes, TheDeterioratingRecordNeverImproves) {
  const auto& best = finder_->best(Archetype::kDeteriorating);
  ASSERT_TRUE(best);
  const auto path = beliefs(best->steps);
  for (std::size_t t = 1; t < path.size(); ++t) EXPECT_GT(severity(path[t]), severity(path[t - 1]));
  for (std::size_t t = 0; t < best->steps.size(); ++t) {
    const auto policy = action_probabilities(truth_.structure, truth_.agent.policy, path[t]);
    EXPECT_GE(policy[best->steps[t].action], 0.5);  // of two actions, the likelier
  }
}

TEST_F(AdniArchetypes, TheBelatedRecordIsOneOfTheAudits) {
  const auto& best = finder_->best(Archetype::kBelated);
  ASSERT_TRUE(best);
  const RecordAudit flags = audit_->of(best->steps);
  EXPECT_TRUE(flags.belated);
  EXPECT_NE(best->state, 0);  // this cohort has belated diagnoses of illness
  const auto confirmed = beliefs(best->steps)[flags.confirmed + 1];
  EXPECT_GE(confirmed[best->state], 0.9);
  for (const Record& record : records_) {
    if (record.steps.size() < 4 || record.steps.size() > 8) continue;
    const RecordAudit other = audit_->of(record.steps);
    if (other.belated && beliefs(record.steps)[other.confirmed + 1][0] < 0.5) {
      EXPECT_LE(other.left_out.size(), flags.left_out.size());
    }
  }
}

TEST_F(AdniArchetypes, TheValuedTestMovedLittleAndCouldHaveMovedMuch) {
  const auto& best = finder_->best(Archetype::kValued);
  ASSERT_TRUE(best);
  ASSERT_TRUE(best->visit);
  const auto path = beliefs(best->steps);
  const int visit = *best->visit;
  EXPECT_TRUE(rules_.is_test(best->steps[visit].action));
  const auto apart = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
  };
  EXPECT_LT(apart(path[visit], path[visit + 1]), audit_->least_move());
  EXPECT_GT(best->score,
            1000.0 + audit_->least_move());  // of a readable length, and well above the least move
}

TEST_F(AdniArchetypes, PreferRecordsThatCanBeRead) {
  for (int k = 0; k < kArchetypes; ++k) {
    const auto& best = finder_->best(static_cast<Archetype>(k));
    ASSERT_TRUE(best);
    EXPECT_GE(best->steps.size(), 4u);
    EXPECT_LE(best->steps.size(), 8u);
    EXPECT_EQ(best->steps, records_[std::stoul(best->patient)].steps);
  }
}

}  // namespace
}  // namespace interpole::explain
