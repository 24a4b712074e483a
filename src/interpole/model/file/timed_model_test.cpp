// Models whose visits have times, on disk.

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/model_file.hpp"

namespace interpole::model {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTimed = R"({ "format": "interpole-model", "version": 4,
  "states": ["well", "ill"], "actions": ["see", "refer"], "observations": ["low", "high"],
  "time": {"unit": "days", "typical_gap": 8},
  "initial_belief": [0.5, 0.5],
  "rates": [[[-0.25, 0.25], [0, 0]], [[0, 0], [0, 0]]],
  "observation": [[[0.75, 0.25], [0.25, 0.75]], null],
  "inverse_temperature": 10, "means": [[1, 0], [0, 1]],
  "world": {"initial_belief": [0.5, 0.5], "rates": [[[-1, 1], [0, 0]], [[0, 0], [0, 0]]],
            "observation": [[[0.75, 0.25], [0.25, 0.75]], null]} })";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kTimed;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& from, const std::string& to) {
  return base::complaint_of([&] { parse_model(changed(from, to), "m.json"); });
}

TEST(TimedModelFile, HasRatesAndReadsThemBack) {
  const Model model = parse_model(kTimed, "m.json");
  EXPECT_EQ(model.structure.time, (VisitTime{"days", TimeRule::kGenerators, 8.0}));
  // A rate of 1/4 in 8 days: 2 to 1.
  EXPECT_DOUBLE_EQ(model.agent.dynamics.transition[1], 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(rates_of(model.structure, *model.world, 0)[1], 1.0);
  EXPECT_EQ(model.agent.dynamics.transition[2], 0.0);
  const std::string text = format_model(model, "{}");
  EXPECT_THAT(text, HasSubstr("\"version\": 4,"));
  EXPECT_THAT(text, HasSubstr("\"rates\": ["));
  EXPECT_THAT(text, Not(HasSubstr("transition")));
  EXPECT_EQ(parse_model(text, "m.json"), model);
}

TEST(TimedModelFile, OfStepsHasTransitions) {
  Model model = parse_model(kTimed, "m.json");
  model.structure.set_time({"days", TimeRule::kSteps, 7.0, 0});
  const std::string text = format_model(model, "{}");
  EXPECT_THAT(text, HasSubstr(R"("time": {"unit": "days", "step": 7, "wait": "see"})"));
  EXPECT_THAT(text, HasSubstr("\"transition\": ["));
  EXPECT_EQ(parse_model(text, "m.json"), model);
}

TEST(TimedModelFile, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal("\"version\": 4", "\"version\": 3"),
              HasSubstr("time: a file of version 3 has no time between visits; write \"version\": 4"));
  EXPECT_THAT(refusal("[-0.25, 0.25]", "[0.25, -0.25]"),
              HasSubstr("rates[0][0][1]: -0.25 is negative; how often a state changes is 0 or more"));
  EXPECT_THAT(refusal("[-0.25, 0.25]", "[0.75, 0.25]"),
              HasSubstr("rates[0][0]: the row sums to 1, not to 0"));
  EXPECT_THAT(refusal("\"typical_gap\": 8", "\"typical_gap\": 0"),
              HasSubstr("time: a gap of 0 days is not above 0"));
  EXPECT_THAT(refusal("\"typical_gap\": 8", "\"step\": 8, \"wait\": \"sleep\""),
              HasSubstr("time.wait: \"sleep\" is not one of the actions"));
  EXPECT_THAT(refusal("\"typical_gap\": 8", "\"step\": 8, \"wait\": \"refer\""),
              HasSubstr("must be an action that is not terminal"));
  EXPECT_THAT(refusal("\"unit\": \"days\", ", ""), HasSubstr("unit"));
  EXPECT_THAT(refusal("\"rates\"", "\"transition\""), HasSubstr("rates"));
}

}  // namespace
}  // namespace interpole::model
