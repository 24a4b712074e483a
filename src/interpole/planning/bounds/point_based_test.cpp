#include "interpole/planning/bounds/point_based.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/exact/exact.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::diag_problem;
using testing::expectimax;
using ::testing::HasSubstr;
using testing::random_pomdp;
using testing::shared;
using testing::some_beliefs;
using testing::tiger;

// Random problems of two to four states. Four states get two outcomes: with three, exact values can take
// minutes.
std::shared_ptr<const Pomdp> shelf(int i) {
  const int states = 2 + i % 3;
  return shared(random_pomdp(1000 + i, states, 2 + i % 2, states == 4 ? 2 : 2 + (i / 3) % 2, 0.7 + 0.01 * i));
}

ExactSummary exactly(const std::shared_ptr<const Pomdp>& pomdp) {
  ExactOptions options;
  options.epsilon = 5e-3;
  ExactSummary summary = solve_exact(pomdp, options);
  EXPECT_TRUE(summary.converged);
  return summary;
}

TEST(PointBased, BoundsHoldTheExactValueOnTwentyRandomProblems) {
  for (int i = 0; i < 20; ++i) {
    const auto pomdp = shelf(i);
    const auto exact = exactly(pomdp);
    EXPECT_GE(exact.value.vectors().size(), 2U) << i << ": one action is best everywhere";
    PointBasedOptions options;
    options.epsilon = 1e-2;
    options.targets = some_beliefs(pomdp->state_count(), 3, i);
    const auto bounds = solve_point_based(pomdp, options);
    EXPECT_TRUE(bounds.converged) << i << ": gap " << bounds.target_gap;
    const double value = exact.value.value(pomdp->start);
    EXPECT_LE(bounds.lower, value + exact.error_bound) << i;
    EXPECT_GE(bounds.upper, value - exact.error_bound) << i;
    EXPECT_LE(bounds.upper - bounds.lower, 1e-2) << i;
    for (std::size_t t = 0; t < options.targets.size(); ++t) {
      const double at = exact.value.value(options.targets[t]);
      const double lower = bounds.value.value(options.targets[t]);
      EXPECT_LE(lower, at + exact.error_bound) << i;
      EXPECT_GE(bounds.target_upper[t], at - exact.error_bound) << i;
      EXPECT_LE(bounds.target_upper[t] - lower, 1e-2) << i;
    }
  }
}

TEST(PointBased, TigerIsHeldFromBothSides) {
  for (const double discount : {0.75, 0.95}) {
    const auto pomdp = shared(tiger(discount));
    const auto exact = solve_exact(pomdp, {});
    const auto bounds = solve_point_based(pomdp, {});
    const double value = exact.value.value(pomdp->start);
    EXPECT_TRUE(bounds.converged);
    EXPECT_LE(bounds.lower, value + exact.error_bound);
    EXPECT_GE(bounds.upper, value - exact.error_bound);
    EXPECT_LE(bounds.upper - bounds.lower, 1e-3);
    EXPECT_EQ(bounds.value.action(pomdp->start), 0);
  }
}

TEST(PointBased, BoundsHoldAtEveryBeliefAlsoWhenStoppedEarly) {
  for (const int i : {1, 2, 4, 7, 13}) {
    const auto pomdp = shelf(i);
    const auto exact = exactly(pomdp);
    PointBasedOptions options;
    options.most_trials = 2;
    options.targets = some_beliefs(pomdp->state_count(), 20);
    options.epsilon = 1e-9;
    const auto bounds = solve_point_based(pomdp, options);
    EXPECT_FALSE(bounds.converged);
    EXPECT_EQ(bounds.stop, PlanStop::kIterations);
    for (std::size_t t = 0; t < options.targets.size(); ++t) {
      const double at = exact.value.value(options.targets[t]);
      EXPECT_LE(bounds.value.value(options.targets[t]), at + exact.error_bound);
      EXPECT_GE(bounds.target_upper[t], at - exact.error_bound);
    }
  }
}

TEST(PointBased, WithAHorizonItHoldsExpectimax) {
  for (int i = 0; i < 6; ++i) {
    const auto pomdp = shelf(i);
    for (int horizon = 0; horizon <= 4; ++horizon) {
      PointBasedOptions options;
      options.horizon = horizon;
      options.epsilon = 1e-6;
      const auto bounds = solve_point_based(pomdp, options);
      const double value = expectimax(*pomdp, pomdp->start, horizon);
      EXPECT_TRUE(bounds.converged);
      EXPECT_NEAR(bounds.lower, value, 1e-6);
      EXPECT_NEAR(bounds.upper, value, 1e-6);
      EXPECT_LE(bounds.lower, value + 1e-12);
      EXPECT_GE(bounds.upper, value - 1e-12);
    }
  }
}

TEST(PointBased, WithoutDiscountAHorizonIsEnough) {
  const auto pomdp = shared(tiger(1.0));
  PointBasedOptions options;
  options.horizon = 5;
  const auto bounds = solve_point_based(pomdp, options);
  EXPECT_TRUE(bounds.converged);
  EXPECT_NEAR(bounds.lower, expectimax(*pomdp, pomdp->start, 5), 1e-3);
}

TEST(PointBased, TerminalActionsEndTheProcess) {
  const auto pomdp = shared(diag_problem());
  const auto exact = solve_exact(pomdp, {});
  PointBasedOptions options;
  options.epsilon = 1e-6;
  const auto bounds = solve_point_based(pomdp, options);
  EXPECT_TRUE(bounds.converged);
  EXPECT_NEAR(bounds.lower, exact.value.value(pomdp->start), 2e-6);
  // Where every gain is a loss, ending at once is best: the bounds must know that nothing follows.
  Pomdp losses = diag_problem();
  losses.reward = {-1, -1, -2, -3, -3, -2};
  const auto ending = solve_point_based(shared(losses), options);
  EXPECT_NEAR(ending.lower, -2.5, 1e-6);
  EXPECT_NEAR(ending.upper, -2.5, 1e-6);
}

TEST(PointBased, AnActionIsNeverWorthMoreThanTheUpperBound) {
  const auto pomdp = shelf(4);
  const auto bounds = solve_point_based(pomdp, {});
  for (const double q : bounds.value.q(pomdp->start)) EXPECT_LE(q, bounds.upper + 1e-12);
}

TEST(PointBased, AnEarlierBoundSavesTrials) {
  const auto pomdp = shelf(16);
  PointBasedOptions options;
  options.epsilon = 1e-3;
  const auto cold = solve_point_based(pomdp, options);
  ASSERT_GT(cold.trials, 1);
  options.start = cold.value;
  options.most_trials = 1;
  const auto warm = solve_point_based(pomdp, options);
  EXPECT_GE(warm.lower, cold.lower);
  // With lower rewards it is lowered, and still a bound.
  Pomdp poorer = *pomdp;
  for (double& reward : poorer.reward) reward -= 0.5;
  const auto lowered = solve_point_based(shared(poorer), options);
  EXPECT_LE(lowered.lower, lowered.upper);
  const double shift = 0.5 / (1 - pomdp->discount);
  EXPECT_GE(lowered.lower, cold.lower - shift - 1e-9);
  EXPECT_LE(lowered.lower, cold.upper - shift + 1e-9);
}

TEST(PointBased, SameProblemSameBitsOnAnyThread) {
  const auto pomdp = shelf(7);
  const auto alone = solve_point_based(pomdp, {});
  std::vector<AlphaVectors> results(6);
  base::parallel_tasks(6, 3, [&](int i) {
    results[static_cast<std::size_t>(i)] = solve_point_based(pomdp, {}).value.vectors();
  });
  for (const auto& result : results) EXPECT_EQ(result, alone.value.vectors());
}

class StopAfter : public Sink {
 public:
  explicit StopAfter(int trials) : trials_(trials) {}
  void progress(const std::string&, std::int64_t done, std::int64_t) override {
    done_ = static_cast<int>(done);
  }
  bool stop_requested() const override { return done_ >= trials_; }

 private:
  int trials_;
  int done_ = 0;
};

TEST(PointBased, StopsWhenAskedWithBoundsThatHold) {
  StopAfter sink(3);
  PointBasedOptions options;
  options.epsilon = 1e-12;
  const auto bounds = solve_point_based(shared(tiger(0.95)), options, sink);
  EXPECT_EQ(bounds.stop, PlanStop::kInterrupted);
  EXPECT_EQ(bounds.trials, 3);
  EXPECT_LE(bounds.lower, 19.3714);
  EXPECT_GE(bounds.upper, 19.3713);
}

void expect_refused(const PointBasedOptions& options, double discount, const char* message) {
  EXPECT_THAT(
      base::complaint_of([&] { solve_point_based(shared(tiger(discount)), options); }, ErrorKind::kUsage),
      HasSubstr(message));
}

TEST(PointBased, RefusesOptionsThatMakeNoSense) {
  PointBasedOptions options;
  expect_refused(options, 1.0, "a discount of 1 without a horizon has no finite value");
  options.horizon = -2;
  expect_refused(options, 0.9, "a horizon of -2 stages; it must not be negative");
  options = {};
  options.targets = {{1.0}};
  expect_refused(options, 0.9, "a target belief has 1 numbers; the problem has 2 states");
  options = {};
  options.start = solve_point_based(shared(tiger(0.8)), {}).value;
  expect_refused(options, 0.9, "a value to start from needs the same dynamics and discount, and no horizon");
  options = {};
  options.epsilon = -1;
  expect_refused(options, 0.9, "epsilon is -1; it must be a number above 0");
}

}  // namespace
}  // namespace interpole::planning
