#include "interpole/learn/draws/arviz_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/files/text_file.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using Json = nlohmann::json;

// One chain of two draws.
Json written(const PolicyTerms& terms) {
  SampleSummary summary;
  summary.fit.parameters = testing::bias_parameters();
  summary.fit.parameters.policy.terms = terms;
  summary.chains.resize(1);
  for (int i = 0; i < 2; ++i) {
    SampledDraw draw;
    draw.agent_world.agent = summary.fit.parameters;
    summary.chains[0].draws.push_back(draw);
  }
  const base::TemporaryFolder folder;
  const std::string path = folder.file("draws.json");
  write_arviz_json(path, testing::bias_study().structure, summary);
  return Json::parse(base::read_text_file(path, "draws"));
}

TEST(ArvizJson, HasNoVariablesOfTermsWithoutTerms) {
  const Json file = written({});
  EXPECT_FALSE(file["posterior"].contains("inertia"));
  EXPECT_FALSE(file["coords"].contains("step"));
  EXPECT_EQ(file["posterior"]["means"][0].size(), 2u);
}

TEST(ArvizJson, HasAVariableForEachTerm) {
  PolicyTerms terms;
  terms.inertia = 0.2;
  terms.covariates = {{"s\"ex", {"f", "m"}}, {"state", {}, 60.0, 9.0}};
  terms.additive = {{TermKind::kHabit, -1, 0, {0.5, -0.25, -0.25, 0, 0, 0, 0, 0, 0}},
                    {TermKind::kTime, -1, 0, {1, -1, 0, -1, 1, 0}},
                    {TermKind::kResultMissing, -1, 0, {0.1, 0.2, -0.3}},
                    {TermKind::kContext, 0, 0, {3, 0, -3, -3, 0, 3}},
                    {TermKind::kContext, 1, 0, {4, -4, 0}}};
  const Json file = written(terms);
  const Json& posterior = file["posterior"];
  const Json& dims = file["dims"];
  const Json& coords = file["coords"];
  EXPECT_EQ(posterior["inertia"], Json::parse("[[0.2, 0.2]]"));
  EXPECT_EQ(posterior["lapse"], Json::parse("[[0, 0]]"));
  EXPECT_EQ(posterior["habit"][0][1], Json::parse("[[0.5, -0.25, -0.25]]"));
  EXPECT_EQ(dims["habit"], Json::parse(R"(["last_action", "action"])"));
  EXPECT_EQ(coords["last_action"], Json::parse(R"(["monitor"])"));
  EXPECT_EQ(posterior["time"][0][0], Json::parse("[[1, -1, 0], [-1, 1, 0]]"));
  EXPECT_EQ(dims["time"], Json::parse(R"(["step", "action"])"));
  EXPECT_EQ(coords["step"], Json::parse(R"(["1", "2"])"));
  EXPECT_EQ(posterior["missing"][0][0], Json::parse("[0.1, 0.2, -0.3]"));
  EXPECT_EQ(posterior["s\"ex"][0][0], Json::parse("[[3, 0, -3], [-3, 0, 3]]"));
  EXPECT_EQ(coords["level_of_s\"ex"], Json::parse(R"(["f", "m"])"));
  // A variable must not be called like a dimension.
  EXPECT_EQ(posterior["covariate.state"][0][0], Json::parse("[4, -4, 0]"));
  EXPECT_EQ(dims["covariate.state"], Json::parse(R"(["action"])"));
}

}  // namespace
}  // namespace interpole::learn
