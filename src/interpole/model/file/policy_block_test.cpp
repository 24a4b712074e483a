// What the model file keeps of what decisions follow beside beliefs.
#include <gmock/gmock.h>

#include "interpole/model/file/model_text_testing.hpp"

namespace interpole::model {
namespace {

using testing::HasSubstr;

TEST(PolicyBlock, TermsOfThePolicyFollowTheMeans) {
  Model model = parse_model(kWritten, "m.json");
  EXPECT_TRUE(model.agent.policy.terms.none());
  PolicyTerms& terms = model.agent.policy.terms;
  terms.inertia = 0.2;
  terms.covariates = {{"sex", {"f", "m"}, 0.0, 1.0}, {"age", {}, 60.5, 9.0}};
  terms.additive = {{TermKind::kHabit, -1, 0, {0.5, -0.5, 0, 0}},
                    {TermKind::kTime, -1, 2, {1, -1, -1, 1}},
                    {TermKind::kResultMissing, -1, 0, {0.25, -0.25}},
                    {TermKind::kContext, 1, 0, {2, -2}},
                    {TermKind::kGroup, 0, 0, {3, -3, -3, 3}}};
  const std::string text = format_model(model);
  EXPECT_THAT(text, HasSubstr("\"version\": 2,"));
  EXPECT_THAT(text, HasSubstr(R"(    [1.3, -0.3]
  ],
  "policy": {
    "inertia": 0.2,
    "lapse": 0,
    "covariates": [
      {"name": "sex", "categories": ["f", "m"]},
      {"name": "age", "centre": 60.5, "scale": 9}
    ],
    "terms": [
      {
        "kind": "habit",
        "weights": [
          [0.5, -0.5],
          [0, 0]
        ]
      },
      {
        "kind": "time",
        "period": 2,
        "weights": [
          [1, -1],
          [-1, 1]
        ]
      },
      {
        "kind": "missing",
        "weights": [
          [0.25, -0.25]
        ]
      },
      {
        "kind": "context",
        "covariate": "age",
        "weights": [
          [2, -2]
        ]
      },
      {
        "kind": "group",
        "covariate": "sex",
        "weights": [
          [3, -3],
          [-3, 3]
        ]
      }
    ]
  },
  "outcomes": [)"));
  EXPECT_EQ(parse_model(text, "m.json"), model);
}

TEST(PolicyBlock, KindsOfDecisionMakersFollowTheTerms) {
  Model model = parse_model(kWritten, "m.json");
  model.agent.policy.other_kinds = {{0.25, 4.0, model.agent.policy.means}};
  const std::string text = format_model(model);
  EXPECT_THAT(text, HasSubstr("\"version\": 2,"));
  EXPECT_THAT(text, HasSubstr(R"("terms": [],
    "kinds": [
      {
        "share": 0.25,
        "inverse_temperature": 4,
        "means": [)"));
  EXPECT_EQ(parse_model(text, "m.json"), model);
  model.agent.policy.terms.covariates = {{"doctor", {"x", "y"}}};
  model.agent.policy.decision_maker = 0;
  EXPECT_THAT(format_model(model), HasSubstr("\"decision_maker\": \"doctor\""));
  EXPECT_EQ(parse_model(format_model(model), "m.json"), model);
}

TEST(PolicyBlock, StartingBeliefsByCovariatesFollowTheTerms) {
  Model model = parse_model(kWritten, "m.json");
  auto& covariates = model.agent.policy.terms.covariates;
  covariates = {{"sex", {"f", "m"}, 0.0, 1.0}, {"age", {}, 60.5, 9.0}};
  const std::size_t states = model.structure.states.size();
  std::vector<double> of_sex(2 * states, 0.0), of_age(states, 0.0);
  of_sex[0] = 0.25;
  of_age[1] = -0.125;
  model.agent.dynamics.start = {{0, covariates[0], of_sex}, {1, covariates[1], of_age}};
  model.world->start = model.agent.dynamics.start;
  const std::string text = format_model(model);
  EXPECT_THAT(text, HasSubstr("\"version\": 2,"));
  EXPECT_THAT(text, HasSubstr("\"start\": [\n      {\n        \"covariate\": \"sex\","));
  const Model read = parse_model(text, "m.json");
  EXPECT_EQ(read, model);
  EXPECT_EQ(read.world->start, model.agent.dynamics.start);
  EXPECT_EQ(format_model(read), text);
  model.world->start.clear();
  EXPECT_THROW(format_model(model), Error);  // the file has one list for both
}

TEST(PolicyBlock, TermsThatAddNothingAreNotWritten) {
  Model model = parse_model(kPublished, "m.json");
  const std::string before = format_model(model);
  EXPECT_THAT(before, HasSubstr("\"version\": 1,"));
  model.agent.policy.terms.covariates = {{"age", {}, 60.0, 9.0}};
  EXPECT_EQ(format_model(model), before);
  std::string text = kPublished;
  text.replace(text.find("1,"), 2, R"(2, "policy": {"lapse": 0},)");
  EXPECT_EQ(parse_model(text, "m.json"), parse_model(kPublished, "m.json"));
}

}  // namespace
}  // namespace interpole::model
