#include "interpole/report/geometry/sentences.hpp"

#include <gmock/gmock.h>

#include "interpole/report/figures/figure_testing.hpp"

namespace interpole::report {
namespace {

using ::testing::ElementsAre;

TEST(IntervalSentences, NameTheBeliefsAtWhichTheLikeliestActionChanges) {
  const Model bias = testing::bias_truth();
  EXPECT_THAT(
      interval_sentences(bias.structure, decision_intervals(bias.agent.policy)),
      ElementsAre("declare-healthy is the likeliest action while the belief in diseased is below 10%.",
                  "monitor is the likeliest action between 10% and 90%.",
                  "declare-diseased becomes the likeliest action above 90%."));
}

TEST(IntervalSentences, SayWhichActionsAreNowhereLikeliest) {
  Model model = testing::bias_truth();
  model.agent.policy.means = {0.5, 0.5, 5, -4, -4, 5};
  EXPECT_THAT(interval_sentences(model.structure, decision_intervals(model.agent.policy)),
              ElementsAre("monitor is the likeliest action at every belief.",
                          "declare-healthy and declare-diseased are nowhere the likeliest action."));
}

TEST(Named, QuotesNamesWithSpaces) {
  EXPECT_EQ(named("monitor"), "monitor");
  EXPECT_EQ(named("order MRI"), "“order MRI”");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace interpole::report
