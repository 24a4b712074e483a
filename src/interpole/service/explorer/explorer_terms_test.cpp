#include "interpole/service/explorer/explorer_terms.hpp"

#include <gmock/gmock.h>

#include "interpole/model_file.hpp"
#include "interpole/service/explorer/explorer_json.hpp"

namespace interpole::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Model model_of_belief() {
  Model model;
  model.structure = Structure::unrestricted({"well", "ill"}, {"wait", "test"}, {"low", "high"});
  model.agent.dynamics = Dynamics::filled(model.structure, 0.5);
  model.agent.policy = {4.0, {0.9, 0.1, 0.2, 0.8}, {}};
  return model;
}

PolicyTerms all_terms() {
  return {0.1,
          0.05,
          {{"age", {}, 60.0, 9.0}, {"site", {"north", "south"}}},
          {{TermKind::kHabit, -1, 0, {0.5, -0.5, -0.5, 0.5}},
           {TermKind::kTime, -1, 2, {0.25, -0.25, -0.25, 0.25}},
           {TermKind::kContext, 0, 0, {0.125, -0.125}},
           {TermKind::kGroup, 1, 0, {1.0, -1.0, -1.0, 1.0}}}};
}

TEST(ExplorerTerms, AModelWithoutThemHasNoPolicyKey) {
  EXPECT_FALSE(explorer_model_json(model_of_belief(), true).contains("policy"));
  const Parameters agent = model_of_belief().agent;
  const auto draws = explorer_draws_json({{agent, {}}, {agent, {}}, {agent, {}}}, "", true);
  ASSERT_EQ(draws["numbers"].size(), 2u + 8 + 8 + 1 + 4);
  for (const auto& of_draws : draws["numbers"]) EXPECT_EQ(of_draws.size(), 3u);
}

TEST(ExplorerTerms, ArePutAsModelFilesPutThem) {
  Model model = model_of_belief();
  model.agent.policy.terms = all_terms();
  const auto file = nlohmann::ordered_json::parse(format_model(model));
  EXPECT_EQ(explorer_model_json(model, true)["policy"], file["policy"]);
}

TEST(ExplorerTerms, OfCovariatesAreLeftOutWhereNobodyMayBeNamed) {
  Model model = model_of_belief();
  model.agent.policy.terms = all_terms();
  const auto policy = explorer_model_json(model, false)["policy"];
  EXPECT_THAT(policy["covariates"], IsEmpty());
  ASSERT_EQ(policy["terms"].size(), 2u);
  EXPECT_EQ(policy["terms"][1]["kind"], "time");
  EXPECT_EQ(policy["inertia"], 0.1);
}

TEST(ExplorerTerms, FollowTheMeansInDraws) {
  Model model = model_of_belief();
  model.agent.policy.terms = all_terms();
  const auto told = [&](bool individual) {
    std::vector<double> flat;
    const auto draws = explorer_draws_json({{model.agent, {}}}, "", individual);
    for (const auto& of_draws : draws["numbers"]) flat.push_back(of_draws[0]);
    return std::vector<double>(flat.begin() + 23, flat.end());
  };
  const std::vector<double> expected = {0.1, 0.05, 0.5, -0.5, -0.5, 0.5, 0.25, -0.25, -0.25, 0.25};
  EXPECT_EQ(told(false), expected);
  EXPECT_EQ(told(true).size(), expected.size() + 2 + 4);
}

TEST(ExplorerTerms, SentencesNameCategoriesOnRequestOnly) {
  Model model = model_of_belief();
  model.agent.policy.terms = all_terms();
  const std::vector<AgentWorld> draws = {{model.agent, {}}};
  const auto told = [&](bool individual) {
    return explorer_terms_json(model.structure, model.agent, draws, individual)["sentences"]
        .get<std::vector<std::string>>();
  };
  EXPECT_THAT(told(true), Contains(HasSubstr("site is \"south\"")));
  EXPECT_THAT(told(false), Each(AllOf(Not(HasSubstr("north")), Not(HasSubstr("south")))));
  EXPECT_THAT(told(false), Contains(HasSubstr("follow site")));
  EXPECT_THAT(told(false), Contains(HasSubstr("more of age")));
  EXPECT_THAT(explorer_terms_json(model.structure, model.agent, {}, true)["sentences"], IsEmpty());
}

TEST(ExplorerTerms, StartsAreSaidAndNotedWithoutNamingCategories) {
  Model model = model_of_belief();
  model.agent.policy.terms.covariates = {{"site", {"north", "south"}}};
  const std::size_t S = model.structure.states.size();
  std::vector<double> weights(2 * S, 0.0);
  weights[0] = weights[S + 1] = 0.5;
  weights[1] = weights[S] = -0.5;
  model.agent.dynamics.start = {{0, model.agent.policy.terms.covariates[0], weights}};
  const std::vector<AgentWorld> draws = {{model.agent, {}}};
  const auto named = explorer_terms_json(model.structure, model.agent, draws, true);
  EXPECT_THAT(named["sentences"].get<std::vector<std::string>>(), Contains(HasSubstr("(south)")));
  const auto unnamed = explorer_terms_json(model.structure, model.agent, draws, false);
  EXPECT_THAT(unnamed["sentences"].get<std::vector<std::string>>(),
              Each(AllOf(Not(HasSubstr("north")), Not(HasSubstr("south")))));
  EXPECT_THAT(unnamed["starts"].get<std::string>(), HasSubstr("Starting beliefs differ by site"));
  model.agent.dynamics.start.clear();
  EXPECT_FALSE(explorer_terms_json(model.structure, model.agent, draws, true).contains("starts"));
}

}  // namespace
}  // namespace interpole::service
