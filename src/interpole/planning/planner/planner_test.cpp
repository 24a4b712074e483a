#include "interpole/planning/planner/planner.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using ::testing::HasSubstr;
using testing::random_pomdp;
using testing::tiger;

class Listener : public Sink {
 public:
  void note(const std::string& sentence) override { notes += sentence; }
  std::string notes;
};

TEST(Planner, TakesTheExactMethodForTwoStates) {
  const auto summary = plan(tiger(0.95));
  EXPECT_EQ(summary.method, PlanMethod::kExact);
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.stop, PlanStop::kConverged);
  EXPECT_EQ(summary.programs, 0);
  EXPECT_LE(summary.upper - summary.lower, 2e-6);
  EXPECT_NEAR(summary.value.value(std::vector{0.5, 0.5}), 19.371368, 2e-6);  // exact_test derives it
  EXPECT_GE(summary.highest_change, summary.lowest_change);
}

TEST(Planner, TakesBoundsWhereExactIsTooMuch) {
  PlanOptions options;
  options.epsilon = 0.05;
  Listener listener;
  const Pomdp pomdp = random_pomdp(1011, 4, 3, 3, 0.81);  // exact values would take minutes
  const auto summary = plan(pomdp, options, listener);
  EXPECT_EQ(summary.method, PlanMethod::kPointBased);
  EXPECT_THAT(listener.notes, HasSubstr("exact planning met its limits after"));
  EXPECT_LE(summary.lower, summary.upper);
  EXPECT_GT(summary.iterations, 0);
}

TEST(Planner, MethodsAgree) {
  const Pomdp pomdp = random_pomdp(1007, 3, 3, 2, 0.77);
  PlanOptions options;
  options.epsilon = 1e-3;
  options.method = PlanMethod::kExact;
  const auto exact = plan(pomdp, options);
  options.method = PlanMethod::kPointBased;
  const auto points = plan(pomdp, options);
  EXPECT_EQ(points.method, PlanMethod::kPointBased);
  EXPECT_LE(points.lower, exact.upper);
  EXPECT_GE(points.upper, exact.lower);
  EXPECT_LE(points.upper - points.lower, 1e-3);
}

TEST(Planner, NamesItsMethods) {
  for (const char* name : {"automatic", "exact", "point-based"}) {
    EXPECT_STREQ(name_of(plan_method_named(name)), name);
  }
  EXPECT_EQ(base::complaint_of([&] { plan_method_named("witness"); }, ErrorKind::kUsage),
            "there is no planning method \"witness\"; choose one of: automatic, exact, point-based");
}

TEST(Planner, RefusesProblemsThatAreNone) {
  Pomdp pomdp = tiger(0.95);
  pomdp.transition[0] = 0.5;
  EXPECT_EQ(base::complaint_of([&] { plan(pomdp); }),
            "decision problem: transition of action \"listen\", row 0: sums to 0.5, not to 1; correct its "
            "entries");
}

}  // namespace
}  // namespace interpole::planning
