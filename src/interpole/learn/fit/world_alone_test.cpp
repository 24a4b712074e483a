#include "interpole/learn/fit/world_alone.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::HasSubstr;

DecisionProblem with_a_known_test() {
  DecisionProblem problem = testing::bias_study();
  problem.world = problem.known.dynamics;
  problem.world->observation = {0.6, 0.4, 0.4, 0.6, 0, 0, 0, 0, 0, 0, 0, 0};
  return problem;
}

TEST(WorldAlone, IsRefusedByOneSetOfDynamics) {
  const HistoryTree tree = environments::simulated_tree(bias(), 30, 1);
  FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  const auto complaint = [&](const DecisionProblem& problem) {
    return base::complaint_of([&] { fit(tree, problem, options, quiet_sink()); });
  };
  DecisionProblem problem = with_a_known_test();
  EXPECT_THAT(complaint(problem), AllOf(HasSubstr("observation"), HasSubstr("binds the world alone"),
                                        HasSubstr("[known]"), HasSubstr("coupled")));
  problem.known.dynamics = *problem.world;
  EXPECT_EQ(complaint(problem), "accepted");
  options.dynamics = DynamicsMode::kSubjective;
  EXPECT_EQ(complaint(with_a_known_test()), "accepted");
}

}  // namespace
}  // namespace interpole::learn
