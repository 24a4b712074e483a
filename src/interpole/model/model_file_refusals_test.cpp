// What the reader refuses, and how it says so. Each case is a valid file with one thing spoiled.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/model_file.hpp"

namespace interpole::model {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kGood = R"({"format": "interpole-model", "version": 1,
"states": ["h", "d"], "actions": ["test", "declare"], "observations": ["-", "+"],
"initial_belief": [0.5, 0.5],
"transition": [[[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]]],
"observation": [[[0.6, 0.4], [0.3, 0.7]], null],
"inverse_temperature": 10,
"means": [[0.5, 0.5], [1.3, -0.3]],
"outcomes": [["-", "+"], null],
"world": {"initial_belief": [0.2, 0.8], "transition": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
          "observation": [[[0.8, 0.2], [0.1, 0.9]], null]},
"provenance": {"seed": 7}})";

// What a file of version 2 may have beside: every kind of term.
const std::string kPolicy = R"("version": 2,
"policy": {"inertia": 0.2, "lapse": 0.05,
  "covariates": [{"name": "sex", "categories": ["f", "m"]}, {"name": "age", "centre": 60, "scale": 9},
                 {"name": "site", "categories": ["A", "B", "C"]}],
  "terms": [{"kind": "habit", "weights": [[0.3, -0.3], [0, 0]]},
            {"kind": "time", "period": 2, "weights": [[1, -1], [-1, 1]]},
            {"kind": "missing", "weights": [[0.5, -0.5]]},
            {"kind": "context", "covariate": "sex", "weights": [[0.1, -0.1], [-0.1, 0.1]]},
            {"kind": "context", "covariate": "age", "weights": [[-2, 2]]},
            {"kind": "group", "covariate": "site", "weights": [[1, -1], [0, 0], [-1, 1]]}]})";

std::string with_policy(const std::string& policy = kPolicy) {
  std::string text = kGood;
  const std::string version = R"("version": 1)";
  return text.replace(text.find(version), version.size(), policy);
}

std::string refusal_of(const std::string& text) {
  return base::complaint_of([&] { parse_model(text, "m.json"); });
}

std::string refusal_of_file(const std::string& path) {
  return base::complaint_of([&] { read_model(path); });
}

struct Spoiled {
  std::string from;  // this part of the good file …
  std::string to;    // … is replaced by this
  std::string message;
};

std::string refusal_of(const Spoiled& spoiled) {
  const std::size_t at = kGood.find(spoiled.from);
  EXPECT_NE(at, std::string::npos) << spoiled.from;
  std::string text = kGood;
  return refusal_of(text.replace(at, spoiled.from.size(), spoiled.to));
}

// The same for the block of terms.
void expect_policy_refusals(const std::vector<Spoiled>& table) {
  for (const Spoiled& spoiled : table) {
    std::string policy = kPolicy;
    const std::size_t at = policy.find(spoiled.from);
    ASSERT_NE(at, std::string::npos) << spoiled.from;
    policy.replace(at, spoiled.from.size(), spoiled.to);
    EXPECT_THAT(refusal_of(with_policy(policy)), StartsWith("m.json: policy" + spoiled.message))
        << spoiled.to;
  }
}

void expect_refusals(const std::vector<Spoiled>& table) {
  for (const Spoiled& spoiled : table) {
    EXPECT_THAT(refusal_of(spoiled), StartsWith("m.json: " + spoiled.message)) << spoiled.to;
  }
}

TEST(ModelFileRefusals, TheGoodFileIsGood) {
  EXPECT_EQ(refusal_of(kGood), "accepted");
  EXPECT_EQ(refusal_of(with_policy()), "accepted");
}

TEST(ModelFileRefusals, Header) {
  expect_refusals({
      {R"("interpole-model")", R"("pomdp")",
       "format: \"pomdp\" is not \"interpole-model\"; this is not a model file"},
      {R"("interpole-model")", "3", "format: expected a text, found the number 3"},
      {R"("version": 1)", R"("version": 3)",
       "version: 3 is from a newer program (this one reads up to 2); update interpole"},
      {R"("version": 1)", R"("version": 18446744073709551615)",
       "version: 18446744073709551615 is from a newer program"},
      {R"("version": 1)", R"("version": 0)", "version: 0 does not exist"},
      {R"("version": 1)", R"("version": -3)", "version: -3 does not exist"},
      {R"("version": 1)", R"("version": 1.0)", "version: expected a whole number, found the number 1.0"},
      {R"("version": 1)", R"("version": "1")", "version: expected a whole number, found the text \"1\""},
  });
}

TEST(ModelFileRefusals, MissingKeys) {
  for (const std::string key : {"format", "version", "states", "actions", "observations", "initial_belief",
                                "transition", "observation", "inverse_temperature", "means"}) {
    const std::string quoted = "\"" + key + "\":";
    const std::string message = refusal_of(Spoiled{quoted, "\"x-" + key + "\":", ""});
    EXPECT_EQ(message, "m.json: " + key + ": the key is missing; add it");
  }
  const std::string world =
      refusal_of(Spoiled{R"("world": {"initial_belief")", R"("world": {"initial")", ""});
  EXPECT_EQ(world, "m.json: world.initial_belief: the key is missing; add it");
}

TEST(ModelFileRefusals, RepeatedKeysAtAnyLevel) {
  expect_refusals({
      {R"("version": 1)", R"("version": 1, "version": 1)", "the key \"version\" appears twice; remove one"},
      {R"("version": 1)", R"("version": 1, "versio\u006e": 1)",
       "the key \"version\" appears twice; remove one"},
      {R"({"seed": 7})", R"([0, {"a": {"b": 1, "c": 2, "b": 1}}])",
       "provenance[1].a: the key \"b\" appears twice"},
      {R"({"seed": 7})", R"({"\u001b[2J": {"x": 1, "x": 1}})",
       R"(provenance["\u001b[2J"]: the key "x" appears twice)"},
      {R"({"initial_belief": [0.2, 0.8])", R"({"initial_belief": [0.2, 0.8], "initial_belief": [1, 0])",
       "world: the key \"initial_belief\" appears twice"},
  });
}

TEST(ModelFileRefusals, WrongTypes) {
  expect_refusals({
      {R"(["h", "d"])", R"("h d")", "states: expected an array, found the text \"h d\""},
      {R"(["h", "d"])", R"(["h", 2])", "states[1]: expected a text, found the number 2"},
      {"[0.5, 0.5],", "{},", "initial_belief: expected an array, found an object"},
      {"[0, 1]]", "[0, \"1\"]]", "transition[0][1][1]: expected a finite number, found the text \"1\""},
      {"[0, 1]]", "[0, \"NaN\"]]", "transition[0][1][1]: expected a finite number, found the text \"NaN\""},
      {"[0, 1]]", "[0, null]]", "transition[0][1][1]: expected a finite number, found null"},
      {"[0, 1]]", "true]", "transition[0][1]: expected an array, found true"},
      {"[0.3, 0.7]", "0.3", "observation[0][1]: expected an array, found the number 0.3"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": [10])",
       "inverse_temperature: expected a finite number, found an array"},
      {R"("means": [[0.5, 0.5], [1.3, -0.3]])", R"("means": null)", "means: expected an array, found null"},
      {R"("world": {)", R"("world": [], "ignored": {)", "world: expected an object, found an array"},
  });
  EXPECT_EQ(refusal_of("[1, 2]"), "m.json: expected an object, found an array");
  EXPECT_EQ(refusal_of("3"), "m.json: expected an object, found the number 3");
}

TEST(ModelFileRefusals, WrongDimensions) {
  expect_refusals({
      {"[0.5, 0.5],", "[1],", "initial_belief: 1 entries; 2 expected, one for each of the states"},
      {R"(["h", "d"])", R"(["h", "d", "x"])",
       "initial_belief: 2 entries; 3 expected, one for each of the states"},
      {"[0, 1]]", "[0, 1, 0]]", "transition[0][1]: 3 entries; 2 expected, one for each of the states"},
      {", [0, 1]]", "]", "transition[0]: 1 entries; 2 expected, one for each of the states"},
      {", [[1, 0], [0, 1]]]", "]", "transition: 1 entries; 2 expected, one for each of the actions"},
      {"[0.3, 0.7]", "[0.3, 0.6, 0.1]",
       "observation[0][1]: 3 entries; 2 expected, one for each of the observations"},
      {", null],", "],", "observation: 1 entries; 2 expected, one for each of the actions"},
      {"[1.3, -0.3]", "[1]", "means[1]: 1 entries; 2 expected, one for each of the states"},
      {"[0.1, 0.9]", "[]",
       "world.observation[0][1]: 0 entries; 2 expected, one for each of the observations"},
  });
}

TEST(ModelFileRefusals, ManyNamesAreRefusedBeforeATableIsMade) {
  // 90 terminal actions, 1,000 states and 200,000 outcomes would ask for 144 GB of zeros.
  std::string observations = "\"x\"";
  for (int z = 0; z < 200'000; ++z) observations += ",\"" + std::to_string(z) + "\"";
  std::string states = "\"x\"";
  for (int s = 0; s < 999; ++s) states += ",\"" + std::to_string(s) + "\"";
  const Spoiled spoiled{
      R"("states": ["h", "d"], "actions": ["test", "declare"], "observations": ["-", "+"])",
      R"("states": [)" + states + R"(], "actions": ["a", "b"], "observations": [)" + observations + "]", ""};
  EXPECT_THAT(
      refusal_of(spoiled),
      StartsWith("m.json: observation: 2 actions, 1000 states and 200001 observations make more than"));
  const Spoiled no_states{R"("states": ["h", "d"])", R"("states": [])", ""};
  EXPECT_EQ(refusal_of(no_states), "m.json: states: the list is empty; name at least one");
}

TEST(ModelFileRefusals, BadNumbers) {
  expect_refusals({
      {"[0.9, 0.1]", "[0.9, 1e999]",
       "transition[0][0][1]: 1e999 is too large for a number; write a finite one"},
      {"[0.9, 0.1]", "[0.9, NaN]", "transition[0][0][1]: not valid JSON at line 4, column 23, near \"NaN]"},
      {"[0.9, 0.1]", "[0.9, -Infinity]", "transition[0][0][1]: not valid JSON at line 4"},
      {"[0.9, 0.1]", "[0.9, 01]", "transition[0]"},
      {"[0.9, 0.1]", "[1.1, -0.1]",
       "transition[0][0][1]: -0.1 is negative; a probability lies between 0 and 1"},
      {"[0.9, 0.1]", "[0.9, 0.2]", "transition[0][0]: the row sums to 1.1, not to 1; correct its entries"},
      {"[0.9, 0.1]", "[0.9, 0.10000002]", "transition[0][0]: the row sums to 1.00000002, not to 1"},
      {"[0.5, 0.5],", "[0, 0],", "initial_belief: the row sums to 0, not to 1"},
      {"[0.3, 0.7]", "[0.3, 0.3]", "observation[0][1]: the row sums to 0.6, not to 1"},
      {"[0.2, 0.8]", "[0.2, 0.9]", "world.initial_belief: the row sums to 1.1, not to 1"},
      {"[0.1, 0.9]", "[-0.1, 1.1]", "world.observation[0][1][0]: -0.1 is negative"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": 0)",
       "inverse_temperature: 0 is not above 0"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": -1)",
       "inverse_temperature: -1 is not above 0"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": 1e101)",
       "inverse_temperature: 1e+101 is larger than"},
      {"[1.3, -0.3]", "[1.3, -0.2]", "means[1]: the entries sum to 1.1, not to 1"},
  });
}

TEST(ModelFileRefusals, NamesAndMasks) {
  expect_refusals({
      {R"(["h", "d"])", R"(["h", "h"])", "states[1]: \"h\" is listed twice; remove one"},
      {R"(["test", "declare"])", R"(["test", ""])", "actions[1]: the name is empty"},
      {R"(["-", "+"], null])", R"(["-", "*"], null])",
       "outcomes[0][1]: \"*\" is not one of the observations"},
      {R"(["-", "+"], null])", R"(["-", "-"], null])", "outcomes[0][1]: \"-\" is listed twice; remove one"},
      {R"(["-", "+"], null])", R"(["-", "+"], ["-"]])",
       "outcomes[1]: outcomes of a terminal action (observation[1]"},
      {R"(["-", "+"], null])", R"([], null])",
       "outcomes[0]: no outcomes, but observation[0] is not null; list them"},
      {R"(["-", "+"], null])", R"(null, null])", "outcomes[0]: no outcomes, but observation[0] is not null"},
      {R"(["-", "+"], null])", R"(["-", "+"]])",
       "outcomes: 1 entries; 2 expected, one for each of the actions"},
      {R"(["-", "+"], null])", R"(["+"], null])",
       "observation[0][0][0]: 0.6 where action \"test\" cannot yield \"-\"; set it to 0 or list the outcome"},
      {"[[0.8, 0.2], [0.1, 0.9]]", "null",
       "world.observation[0]: null, but the agent's observation[0] is given"},
      {"[[0.8, 0.2], [0.1, 0.9]], null", "[[0.8, 0.2], [0.1, 0.9]], [[1, 0], [1, 0]]",
       "world.observation[1]: given, but the agent's observation[1] is null"},
  });
}

TEST(ModelFileRefusals, TermsInAFileOfVersionOne) {
  const std::string policy = kPolicy;
  EXPECT_THAT(refusal_of(with_policy("\"version\": 1" + policy.substr(policy.find(',')))),
              StartsWith("m.json: policy: a file of version 1 has no policy terms; write \"version\": 2"));
}

TEST(ModelFileRefusals, KindsAndKeysOfTerms) {
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

TEST(ModelFileRefusals, BadStartingBeliefs) {
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

TEST(ModelFileRefusals, NamesOfCovariates) {
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

TEST(ModelFileRefusals, NumbersOfTerms) {
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

TEST(ModelFileRefusals, BadKindsOfDecisionMakers) {
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

TEST(ModelFileRefusals, BrokenText) {
  EXPECT_EQ(refusal_of(""), "m.json: the file is empty");
  EXPECT_EQ(refusal_of("\xEF\xBB\xBF"), "m.json: the file is empty");
  EXPECT_THAT(refusal_of("PK\x03\x04"), StartsWith("m.json: not valid JSON at line 1"));
  EXPECT_THAT(refusal_of(kGood + "}"), StartsWith("m.json: not valid JSON at line"));
  EXPECT_THAT(refusal_of(kGood + std::string(1, '\0')), StartsWith("m.json: not valid JSON"));
  expect_refusals({
      {R"(["h")", "[\"h\xFF\"", "line 2 is not valid UTF-8; save the file as UTF-8 text"},
      {R"(["h")", R"(["\ud800")", "states[0]: not valid JSON at line 2"},
      {"[0.9, 0.1]", "[0.9, 0.1,]", "transition[0][0]"},
      {"\"seed\": 7", "\"seed\": 70000000000000000000000",
       "provenance.seed: 70000000000000000000000 is too large for a whole number"},
  });
}

TEST(ModelFileRefusals, EveryTruncation) {
  for (std::size_t length = 1; length < kGood.size(); ++length) {
    ASSERT_THAT(refusal_of(kGood.substr(0, length)), HasSubstr("the file ends in the middle")) << length;
  }
}

TEST(ModelFileRefusals, DepthBombs) {
  for (const std::size_t depth : {std::size_t{40}, std::size_t{2'000'000}}) {
    const std::string open(depth, '[');
    const std::string closed = open + std::string(depth, ']');
    EXPECT_THAT(refusal_of(open), StartsWith("m.json: nested more than 32 levels deep"));
    EXPECT_THAT(refusal_of(closed), StartsWith("m.json: nested more than 32 levels deep"));
    EXPECT_THAT(refusal_of(Spoiled{R"({"seed": 7})", closed, ""}), StartsWith("m.json: nested more than 32"));
  }
  const std::string allowed = std::string(25, '[') + std::string(25, ']');
  EXPECT_EQ(refusal_of(Spoiled{R"({"seed": 7})", allowed, ""}), "accepted");
}

TEST(ModelFileRefusals, FilesThatCannotBeRead) {
  EXPECT_EQ(refusal_of_file("/nonexistent/m.json"),
            "/nonexistent/m.json: cannot open it: No such file or directory");
  const fs::path folder = fs::temp_directory_path() / ("interpole_refusals_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  EXPECT_EQ(refusal_of_file(folder.string()),
            folder.string() + ": this is a folder; give the model file in it");
  const std::string path = (folder / "m.json").string();
  std::ofstream(path) << kGood;
  EXPECT_EQ(refusal_of_file(path), "accepted");
  fs::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // sparse: takes no room
  EXPECT_EQ(refusal_of_file(path), path + ": larger than 256 MB; this is not a model file");
  fs::remove_all(folder);
}

// One to four random edits: a byte changed, removed, doubled, or the rest cut off.
std::string mutated(base::RandomStream& random, const std::string& good) {
  static const std::string likely = "[]{},:\"0123456789.eE+-nulltrue\\ \n";
  std::string text = good;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next_bits() % n); };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(random.next_bits());
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.erase(at, 1 + below(12));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      default:
        text[at] = likely[below(likely.size())];
    }
  }
  return text;
}

void expect_sound(const Model& model) {
  const auto all_finite = [](const std::vector<double>& numbers) {
    for (const double x : numbers) {
      if (!std::isfinite(x)) return false;
    }
    return true;
  };
  const Dynamics& dynamics = model.agent.dynamics;
  EXPECT_TRUE(all_finite(dynamics.initial) && all_finite(dynamics.transition) &&
              all_finite(dynamics.observation));
  EXPECT_TRUE(all_finite(action_probabilities(model.structure, model.agent.policy, dynamics.initial)));
  if (model.world) {
    EXPECT_TRUE(all_finite(model.world->initial) && all_finite(model.world->transition) &&
                all_finite(model.world->observation));
  }
  EXPECT_EQ(parse_model(format_model(model), "again"), model);
}

TEST(ModelFileRefusals, TwentyThousandMutationsAreReadOrRefused) {
  base::RandomStream random(20210503);
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = mutated(random, round % 2 == 0 ? kGood : with_policy());
    SCOPED_TRACE(text);
    try {
      expect_sound(parse_model(text, "m.json"));
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::kInput) << error.what();
      ASSERT_THAT(error.what(), StartsWith("m.json: "));
      ++refused;
    }
    if (testing::Test::HasFailure()) return;
  }
  // Both outcomes must be frequent, or the test says little.
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace interpole::model
