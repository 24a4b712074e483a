// What the reader refuses in the block of policy terms. Each case is a valid file with one thing spoiled.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "interpole/model/file/model_text_testing.hpp"

namespace interpole::model {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void expect_policy_refusals(const std::vector<Spoiled>& table) {
  for (const Spoiled& spoiled : table) {
    EXPECT_THAT(refusal_of(with_policy(spoil(kPolicy, spoiled))),
                StartsWith("m.json: policy" + spoiled.message))
        << spoiled.to;
  }
}

TEST(PolicyBlockRefusals, TheGoodBlockIsGood) {
  EXPECT_EQ(refusal_of(with_policy()), "accepted");
}

TEST(PolicyBlockRefusals, TermsInAFileOfVersionOne) {
  const std::string policy = kPolicy;
  EXPECT_THAT(refusal_of(with_policy("\"version\": 1" + policy.substr(policy.find(',')))),
              StartsWith("m.json: policy: a file of version 1 has no policy terms; write \"version\": 2"));
}

TEST(PolicyBlockRefusals, KindsAndKeysOfTerms) {
  expect_policy_refusals({
      {R"("habit")", R"("habits")",
       ".terms[0].kind: \"habits\" is not a kind of term; did you mean \"habit\"?"},
      {R"("habit")", R"("dice")", ".terms[0].kind: \"dice\" is not a kind of term; the kinds are \"habit\""},
      {R"("habit")", "1", ".terms[0].kind: expected a text, found the number 1"},
      {R"({"kind": "habit",)", R"({)", ".terms[0].kind: the key is missing; add it"},
      {R"("covariate": "sex")", R"("covariate": "sax")",
       ".terms[3].covariate: \"sax\" is not one of the covariates; did you mean \"sex\"?"},
      {R"("covariate": "sex", )", "", ".terms[3].covariate: the key is missing; add it"},
      {R"("kind": "missing")", R"("kind": "missing", "covariate": "sex")",
       ".terms[2]: there is no key \"covariate\" here"},
      {R"("kind": "missing")", R"("kind": "missing", "period": 2)",
       ".terms[2]: there is no key \"period\" here"},
      {R"("lapse")", R"("laps")", ": there is no key \"laps\" here; did you mean \"lapse\"?"},
      {R"("centre": 60, )", "", ".covariates[1].centre: the key is missing; add it"},
      {R"("centre": 60)", R"("categories": ["old"])", ".covariates[1]: there is no key \"scale\" here"},
      {R"(["f", "m"])", "[]", ".covariates[0].categories: the list is empty"},
      {R"("covariate": "site")", R"("covariate": "age")", ".terms[5].weights: 3 entries; 1 expected"},
      {R"("covariate": "site")", R"("covariate": "sex")", ".terms[5].weights: 3 entries; 2 expected"},
      {R"({"kind": "context", "covariate": "age")", R"({"kind": "group", "covariate": "age")",
       ".terms[4]: the covariate \"age\" is a number; a group needs categories"},
      {R"({"kind": "context", "covariate": "sex")", R"({"kind": "habit")",
       ".terms[3]: there is a term \"habit\" already; keep one"},
  });
  EXPECT_THAT(refusal_of(with_policy(R"("version": 2, "policy": [])")),
              StartsWith("m.json: policy: expected an object, found an array"));
  EXPECT_THAT(refusal_of(with_policy(R"("version": 2, "policy": {"terms": {}})")),
              StartsWith("m.json: policy.terms: expected an array, found an object"));
  EXPECT_THAT(
      refusal_of(with_policy(
          R"("version": 2, "policy": {"terms": [{"kind": "group", "covariate": "ward", "weights": []}]})")),
      StartsWith("m.json: policy.terms[0].covariate: \"ward\" is not one of the covariates; list it"));
}

TEST(PolicyBlockRefusals, BadStartingBeliefs) {
  const auto refusal = [](const std::string& start) {
    return refusal_of(with_policy(R"("version": 2, "policy": {"covariates": [{"name": "sex", "categories": )"
                                  R"(["f", "m"]}, {"name": "age", "centre": 60, "scale": 9}], "start": )" +
                                  start + "}"));
  };
  EXPECT_THAT(refusal("{}"), StartsWith("m.json: policy.start: expected an array, found an object"));
  EXPECT_THAT(refusal(R"([{"covariate": "sax", "weights": []}])"),
              StartsWith("m.json: policy.start[0].covariate: \"sax\" is not one of the covariates; did you "
                         "mean \"sex\"?"));
  EXPECT_THAT(refusal(R"([{"weights": []}])"),
              StartsWith("m.json: policy.start[0].covariate: the key is missing; add it"));
  EXPECT_THAT(refusal(R"([{"covariate": "sex", "weights": [[0, 0]]}])"),
              StartsWith("m.json: policy.start[0].weights: 1 entries; 2 expected"));
  EXPECT_THAT(refusal(R"([{"covariate": "age", "weights": [[0, 0]], "kind": "context"}])"),
              StartsWith("m.json: policy.start[0]: there is no key \"kind\" here"));
  EXPECT_THAT(refusal(R"([{"covariate": "age", "weights": [[0, 1e4]]}])"),
              StartsWith("m.json: policy.start[0].weights[0][1]: 10000 is not a number from"));
  EXPECT_THAT(
      refusal(R"([{"covariate": "age", "weights": [[0, 0]]}, {"covariate": "age", "weights": [[0, 0]]}])"),
      StartsWith("m.json: policy.start[1]: starting beliefs differ by \"age\" already; keep one"));
}

TEST(PolicyBlockRefusals, NamesOfCovariates) {
  expect_policy_refusals({
      {R"("scale": 9})", R"("scale": 9}, {"name": "sex", "centre": 0, "scale": 1})",
       ".covariates[2].name: \"sex\" is listed twice; remove one"},
      {R"("scale": 9})", R"("scale": 9}, {"name": "", "centre": 0, "scale": 1})",
       ".covariates[2].name: the name is empty"},
      {R"("name": "age")", R"("name": 3)", ".covariates[1].name: expected a text, found the number 3"},
      {R"(["f", "m"])", R"(["f", "f"])", ".covariates[0].categories[1]: \"f\" is listed twice"},
      {R"(["f", "m"])", R"(["f", ""])", ".covariates[0].categories[1]: the name is empty"},
  });
}

TEST(PolicyBlockRefusals, NumbersOfTerms) {
  expect_policy_refusals({
      {"0.2", "-0.2", ".inertia: -0.2 is not a share of decisions; it is at least 0 and below 1"},
      {"0.2", "0.96", ".inertia and lapse together: 1.01 is not a share"},
      {"0.05", "\"NaN\"", ".lapse: expected a finite number, found the text \"NaN\""},
      {"0.05", "NaN", ".lapse: not valid JSON"},
      {R"("scale": 9)", R"("scale": 0)", ".covariates[1].scale: 0 is not above 0"},
      {R"("centre": 60)", R"("centre": null)", ".covariates[1].centre: expected a finite number, found null"},
      {R"("period": 2)", R"("period": 0)", ".terms[1].period: 0 is not a number of steps"},
      {R"("period": 2)", R"("period": 2.0)", ".terms[1].period: expected a whole number, found the number"},
      {R"("period": 2)", R"("period": 3)",
       ".terms[1].weights: 2 entries; 3 expected, one for each of the steps of the period"},
      {R"("period": 2)", R"("period": 18446744073709551615)", ".terms[1].period: 18446744073709551615 is"},
      {"[[0.3, -0.3], [0, 0]]", "[[0.3, -0.3]]",
       ".terms[0].weights: 1 entries; 2 expected, one for each of the actions"},
      {"[[0.3, -0.3], [0, 0]]", "[[0.3], [0, 0]]",
       ".terms[0].weights[0]: 1 entries; 2 expected, one for each of the actions"},
      {"[[0.3, -0.3], [0, 0]]", "[[0.3, null], [0, 0]]",
       ".terms[0].weights[0][1]: expected a finite number, found null"},
      {"[[0.3, -0.3], [0, 0]]", "[[0.3, 1e200], [0, 0]]", ".terms[0].weights[0][1]: 1e+200 is larger than"},
      {"[[0.1, -0.1], [-0.1, 0.1]]", "[[0.1, -0.1]]",
       ".terms[3].weights: 1 entries; 2 expected, one for each of the categories"},
      {R"("period": 2, "weights": [[1, -1], [-1, 1]])", R"("weights": [])",
       ".terms[1].weights: the list is empty; write a row for each step"},
  });
}

TEST(PolicyBlockRefusals, BadKindsOfDecisionMakers) {
  const auto kinds = [](const std::string& block) {
    return refusal_of(with_policy(R"("version": 2, "policy": {"covariates": [
      {"name": "doctor", "categories": ["x", "y"]}, {"name": "age", "centre": 60, "scale": 9}],)" +
                                  block + "}"));
  };
  const std::string means = R"("means": [[0.5, 0.5], [0.3, 0.7]])";
  const auto kind = [&](const std::string& share, const std::string& eta, const std::string& rows) {
    return R"("kinds": [{"share": )" + share + R"(, "inverse_temperature": )" + eta + ", " + rows + "}]";
  };
  EXPECT_THAT(kinds(kind("0", "5", means)),
              HasSubstr("policy.kinds[0].share: 0 is not a share of decision-makers"));
  EXPECT_THAT(kinds(kind("1", "5", means)), HasSubstr("policy.kinds[0].share: 1 is not a share"));
  EXPECT_THAT(kinds(kind("\"half\"", "5", means)),
              HasSubstr("policy.kinds[0].share: expected a finite number"));
  EXPECT_THAT(kinds(kind("0.5", "0", means)),
              HasSubstr("policy.kinds[0].inverse_temperature: 0 is not above 0"));
  EXPECT_THAT(kinds(kind("0.5", "5", R"("means": [[0.5, 0.5]])")),
              HasSubstr("policy.kinds[0].means: 1 entries; 2 expected"));
  EXPECT_THAT(kinds(kind("0.5", "5", R"("means": [[0.5, 0.5], [0.3, 0.6]])")),
              HasSubstr("policy.kinds[0].means[1]: the entries sum to"));
  EXPECT_THAT(kinds(kind("0.5", "5", R"("mean": 3)")), HasSubstr("there is no key \"mean\" here"));
  EXPECT_THAT(kinds(R"("kinds": [{"share": 0.5, "inverse_temperature": 5, )" + means +
                    R"(}, {"share": 0.5, "inverse_temperature": 5, )" + means + "}]"),
              HasSubstr("leaves nothing for the commonest kind"));
  EXPECT_THAT(kinds(R"("kinds": 2)"), HasSubstr("policy.kinds: expected an array"));
  EXPECT_THAT(kinds(R"("decision_maker": "doctor")"),
              HasSubstr("policy.decision_maker: there are no kinds of decision-makers"));
  EXPECT_THAT(
      kinds(kind("0.5", "5", means) + R"(, "decision_maker": "docter")"),
      HasSubstr("policy.decision_maker: \"docter\" is not one of the covariates; did you mean \"doctor\"?"));
  EXPECT_THAT(kinds(kind("0.5", "5", means) + R"(, "decision_maker": "age")"),
              HasSubstr("policy.decision_maker: the covariate \"age\" is a number; it needs categories"));
}

}  // namespace
}  // namespace interpole::model
