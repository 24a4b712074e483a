// Models whose outcomes are measured, on disk.

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/model_file.hpp"

namespace interpole::model {
namespace {

using ::testing::HasSubstr;

Model vital_signs() {
  MeasuredFactor lactate{"lactate \"venous\"", Family::kLogNormal};
  lactate.unit = "mmol/L";
  lactate.lower = 0.3;
  lactate.centre = 1.7;
  lactate.scale = 0.55;
  lactate.yielded_by = {0, 1, 0};
  Model model;
  model.structure = Structure::of_factors(
      {"stable", "shock"}, {"watch", "measure", "transfer"},
      {lactate, {"skin", Family::kCategorical, {"warm", "cold"}}, {"breaths", Family::kPoisson}});
  model.structure.make_terminal(2);
  const std::vector<double> row = {1.4, 0.4, 0.75, 0.25, 16.0, 3.1, 0.5, 0.125, 0.875, 22.0};
  model.agent.dynamics = {{0.75, 0.25}, {0.875, 0.125, 0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 1, 0, 0, 1}, {}};
  auto& observation = model.agent.dynamics.observation;
  observation.insert(observation.end(), row.begin(), row.end());
  observation.insert(observation.end(), row.begin(), row.end());
  observation.resize(30, 0.0);
  model.agent.policy = {6.0, {1.0, 0.0, 0.5, 0.5, 0.0, 1.0}};
  model.world = model.agent.dynamics;
  model.world->observation[15] = 4.4;
  return model;
}

TEST(MeasuredModelFile, IsReadBackAsItWasWritten) {
  const Model model = vital_signs();
  const std::string text = format_model(model, "{}");
  EXPECT_THAT(text, HasSubstr("\"version\": 3,"));
  const Model read = parse_model(text, "m.json");
  EXPECT_EQ(read, model);
  EXPECT_EQ(format_model(read, "{}"), text);
  ASSERT_TRUE(read.structure.outcomes.table);
  EXPECT_EQ(read.structure.column_name(1), "lactate \"venous\" log sd");
  EXPECT_EQ(read.structure.column_name(3), "skin cold");
}

TEST(MeasuredModelFile, SaysWhatIsWrongAndWhere) {
  const std::string text = format_model(vital_signs(), "{}");
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    return base::complaint_of([&] { parse_model(changed, "m.json"); });
  };
  EXPECT_THAT(
      refusal("\"version\": 3", "\"version\": 2"),
      HasSubstr("m.json: factors: a file of version 2 has no measured factors; write \"version\": 3"));
  EXPECT_THAT(refusal("lognormal", "normalish"),
              HasSubstr("factors[0].family: \"normalish\" is not a family; the families are categorical"));
  EXPECT_THAT(refusal("[\"measure\"]", "[\"measures\"]"),
              HasSubstr("factors[0].yielded_by[0]: \"measures\" is not"));
  EXPECT_THAT(refusal("[1.4, 0.4, 0.75, 0.25, 16]", "[1.4, -0.4, 0.75, 0.25, 16]"),
              HasSubstr("observation[0][0]: factor \"lactate \"venous\"\": log sd: -0.4 is not above 0"));
  EXPECT_THAT(refusal("[1.4, 0.4, 0.75, 0.25, 16]", "[1.4, 0.4, 0.75, 0.5, 16]"),
              HasSubstr("factor \"skin\": the probabilities of its levels sum to 1.25, not to 1"));
  EXPECT_THAT(refusal("[1.4, 0.4, 0.75, 0.25, 16]", "[1.4, 0.4, 0.75, 0.25]"),
              HasSubstr("parameters of the factors"));
  EXPECT_THAT(refusal("\"levels\": [\"warm\", \"cold\"]", "\"levels\": [\"warm\"]"),
              HasSubstr("fewer than two levels"));
}

}  // namespace
}  // namespace interpole::model
