#include "interpole/learn/fit/nothing_finite.hpp"

#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

std::string complaint_of_fit(const DecisionProblem& problem) {
  const HistoryTree tree = testing::bias_tree(20, 1);
  FitOptions options;
  options.restarts = 2;
  return base::complaint_of([&] { fit(tree, problem, options, quiet_sink()); });
}

TEST(NothingFinite, NamesThePriorThatIsTooSmall) {
  DecisionProblem problem = testing::bias_study();
  problem.priors.concentration = Dynamics::filled(problem.structure, 1e-300);
  EXPECT_EQ(complaint_of_fit(problem),
            "no search met a finite log-posterior: its numbers are too extreme to compute with, "
            "priors.initial_belief = 1e-300 the most; bring it nearer to 1");
}

TEST(NothingFinite, NamesTheMeansThatAreTooFar) {
  DecisionProblem problem = testing::bias_study();
  problem.known.policy.means[0] = 1e200;
  problem.known.policy.means[1] = -1e200;
  EXPECT_EQ(complaint_of_fit(problem),
            "no search met a finite log-posterior: its numbers are too extreme to compute with, "
            "known.means.monitor = "
            "1e+200 the most; bring it nearer to 1");
}

}  // namespace
}  // namespace interpole::learn
