#include "interpole/report/sentences.hpp"

#include <gmock/gmock.h>

#include "interpole/base/error.hpp"
#include "interpole/report/bias_testing.hpp"

namespace interpole {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sentence_of(const Model& model, const Record& record) {
  return trace_sentence(model, trace_beliefs(model, record, 0));
}

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

TEST(TraceSentence, CountsResultsAndFollowsTheBelief) {
  // Odds of disease after three negatives: (0.2/0.6)³ = 1/27, that is 3.6%. There 10 · ((μ₁ − μ₀)·(2b − μ₁ −
  // μ₀)) = 2.057 are the log odds of declaring over monitoring: 88.7%.
  const Record record{"17", {{0, 0}, {0, 0}, {0, 0}, {1, kMissing}}};
  EXPECT_EQ(sentence_of(testing::bias_truth(), record),
            "After 3 negative results the belief in diseased fell from 50% to 4%; the record ends with "
            "declare-healthy, to which the fitted policy gives a chance of 89%.");
}

TEST(TraceSentence, MixedResultsAreListed) {
  const Record record{"17", {{0, 0}, {0, 1}, {0, 1}}};
  EXPECT_EQ(sentence_of(testing::bias_truth(), record),
            "After 3 results (1 negative, 2 positive) the belief in diseased rose from 50% to 57%; the last "
            "decision on "
            "record was monitor, to which the fitted policy gives a chance of >99%.");
}

TEST(TraceSentence, ARecordOfOneDecisionHasNoResult) {
  EXPECT_THAT(
      sentence_of(testing::bias_truth(), {"17", {{2, kMissing}}}),
      HasSubstr("Before any result the belief in diseased was 50%; the record ends with declare-diseased"));
}

TEST(TraceSentence, MissingResultsAreNotCounted) {
  EXPECT_THAT(sentence_of(testing::bias_truth(), {"17", {{0, kMissing}, {2, kMissing}}}),
              HasSubstr("Without any result the belief in diseased ended where it began, at 50%"));
  EXPECT_THAT(sentence_of(testing::bias_truth(), {"17", {{0, kMissing}, {0, 1}, {2, kMissing}}}),
              HasSubstr("After 1 positive result the belief in diseased rose from 50% to 67%"));
}

TEST(TraceSentence, StopsAtAnImpossibleOutcome) {
  Model model = testing::bias_truth();
  model.agent.dynamics.observation[0] = model.agent.dynamics.observation[2] = 1.0;
  model.agent.dynamics.observation[1] = model.agent.dynamics.observation[3] = 0.0;
  const std::string sentence = sentence_of(model, {"17", {{0, 0}, {0, 1}, {2, kMissing}}});
  EXPECT_THAT(sentence,
              HasSubstr("After 1 negative result the belief in diseased ended where it began, at 50%"));
  EXPECT_THAT(sentence, HasSubstr("calls what was seen at step 2 impossible"));
}

TEST(TraceBeliefs, RefusesActionsTheModelDoesNotHaveWithoutNamingThePatient) {
  try {
    trace_beliefs(testing::bias_truth(), {"secret", {{7, 0}}}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("example record 2: action number 7 is not among the model's 3"));
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("secret")));
  }
}

TEST(LargestGap, NamesAgentAndWorld) {
  EXPECT_EQ(largest_gap_sentence(testing::bias_truth()),
            "The largest difference: decisions are made as if monitor showed negative in 20% of cases where "
            "the state "
            "is diseased; in the world it is 40%.");
}

TEST(LargestGap, IsSilentWhereThereIsNone) {
  Model model = testing::bias_truth();
  model.world->observation = model.agent.dynamics.observation;
  EXPECT_EQ(largest_gap_sentence(model), "");
  model.world.reset();
  EXPECT_EQ(largest_gap_sentence(model), "");
}

TEST(Named, QuotesNamesWithSpaces) {
  EXPECT_EQ(named("monitor"), "monitor");
  EXPECT_EQ(named("order MRI"), "“order MRI”");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace interpole
