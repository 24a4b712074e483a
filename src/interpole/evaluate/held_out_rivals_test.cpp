#include "interpole/evaluate/held_out_rivals.hpp"

#include <gtest/gtest.h>

#include "interpole/base/stops_after_testing.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/simulate.hpp"

namespace interpole::evaluate {
namespace {

struct Case {
  FitResult fit;
  FoldTrees trees;
  DecisionProblem problem;
};

// A ward that repeats its last action with this probability, fitted with beliefs alone or with what the
// evidence asks for.
Case ward_with(double inertia, PolicyUse policy) {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms.inertia = inertia;
  Case result;
  result.problem = DecisionProblem::open(environment.truth.structure);
  const auto records = environments::simulated_records(environment, 300, 3);
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.policy = policy;
  options.restarts = 2;
  result.fit = fit(result.problem, records, options);
  FoldBuilder builder(environment.truth.structure.action_count(), 3, 1);
  for (const Record& record : records) builder.add(record.steps);
  result.trees = builder.build();
  return result;
}

// Without the network, whose training takes longer than all the rest.
HeldOutOptions quick() {
  HeldOutOptions options;
  options.rivals = {"logistic", "previous-action"};
  return options;
}

HeldOutRivals compared(const Case& c) {
  return compare_with_rivals(c.fit, c.trees, c.problem, quick(), quiet_sink());
}

TEST(HeldOutRivals, FindNothingThatTheRightModelMisses) {
  const HeldOutRivals found = compared(ward_with(0.0, PolicyUse::kBelief));
  EXPECT_EQ(found.folds, 3);
  ASSERT_EQ(found.rivals.size(), 2u);
  EXPECT_FALSE(found.failed());
  EXPECT_LT(*found.log_loss, *found.majority);
  for (const Rival& rival : found.rivals) {
    EXPECT_TRUE(rival.failure.empty()) << rival.failure;
    EXPECT_LE(rival.log_loss.interval->low, *rival.log_loss.mean);
    EXPECT_GE(rival.log_loss.interval->high, *rival.log_loss.mean);
    EXPECT_FALSE(rival.clearly_better) << rival.sentence;
  }
  EXPECT_GT(*found.rivals[1].log_loss.mean, 0.0);  // the last action alone
}

TEST(HeldOutRivals, FindAHabitThatTheModelHasNoPlaceFor) {
  const HeldOutRivals found = compared(ward_with(0.5, PolicyUse::kBelief));
  EXPECT_TRUE(found.failed());
  const Rival& regression = found.rivals[0];
  EXPECT_EQ(regression.learner, "logistic");
  EXPECT_TRUE(regression.clearly_better) << regression.sentence;
  EXPECT_NE(regression.sentence.find("better than the model: by"), std::string::npos) << regression.sentence;
  EXPECT_FALSE(compared(ward_with(0.5, PolicyUse::kAuto)).failed());
}

TEST(HeldOutRivals, DoNotDependOnThreads) {
  const Case c = ward_with(0.0, PolicyUse::kBelief);
  HeldOutOptions one = quick();
  one.threads = 1;
  HeldOutOptions two = quick();
  two.threads = 2;
  const HeldOutRivals first = compare_with_rivals(c.fit, c.trees, c.problem, one, quiet_sink());
  const HeldOutRivals second = compare_with_rivals(c.fit, c.trees, c.problem, two, quiet_sink());
  EXPECT_EQ(first.log_loss, second.log_loss);
  for (std::size_t i = 0; i < first.rivals.size(); ++i) {
    EXPECT_EQ(first.rivals[i].sentence, second.rivals[i].sentence);
  }
}

TEST(HeldOutRivals, SayWhyAModelIsNotCompared) {
  Case c = ward_with(0.0, PolicyUse::kBelief);
  c.fit.uncertainty = nullptr;
  const HeldOutRivals found = compared(c);
  EXPECT_NE(found.not_compared.find("does not say how sure it is"), std::string::npos);
  EXPECT_TRUE(found.rivals.empty());
  EXPECT_FALSE(found.failed());
}

TEST(HeldOutRivals, StopWhenAsked) {
  const Case c = ward_with(0.0, PolicyUse::kBelief);
  base::StopsAfter sink(3);
  try {
    compare_with_rivals(c.fit, c.trees, c.problem, quick(), sink);
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

}  // namespace
}  // namespace interpole::evaluate
