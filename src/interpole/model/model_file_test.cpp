// What the model file keeps: every bit of a model, the layout, and everything else that was there to be
// ignored.
#include "interpole/model_file.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/error.hpp"

namespace interpole::model {
namespace {

using testing::HasSubstr;

// As docs/model-file.md and the published contract print it.
constexpr const char* kPublished = R"({ "format": "interpole-model", "version": 1,
  "states": ["healthy", "diseased"],
  "actions": ["monitor", "declare-healthy", "declare-diseased"],
  "observations": ["negative", "positive"],
  "initial_belief": [0.5, 0.5],
  "transition":  [[[1,0],[0,1]], [[1,0],[0,1]], [[1,0],[0,1]]],
  "observation": [[[0.6,0.4],[0.4,0.6]], null, null],
  "inverse_temperature": 10,
  "means": [[0.5,0.5],[1.3,-0.3],[-0.3,1.3]] })";

constexpr const char* kWritten = R"({
  "format": "interpole-model",
  "version": 1,
  "states": ["healthy", "diseased"],
  "actions": ["test", "declare"],
  "observations": ["negative", "positive", "not done"],
  "initial_belief": [0.25, 0.75],
  "transition": [
    [
      [0.9, 0.1],
      [0, 1]
    ],
    [
      [1, 0],
      [0, 1]
    ]
  ],
  "observation": [
    [
      [0.6, 0.4, 0],
      [0.4, 0.6, 0]
    ],
    null
  ],
  "inverse_temperature": 10,
  "means": [
    [0.5, 0.5],
    [1.3, -0.3]
  ],
  "outcomes": [
    ["negative", "positive"],
    null
  ],
  "world": {
    "initial_belief": [0.25, 0.75],
    "transition": [
      [
        [1, 0],
        [0, 1]
      ],
      [
        [1, 0],
        [0, 1]
      ]
    ],
    "observation": [
      [
        [0.6, 0.4, 0],
        [0.1, 0.9, 0]
      ],
      null
    ]
  },
  "provenance": {
    "program": "interpole \"1\"",
    "seeds": [1, 2],
    "none": {}
  },
  "table": [
    [1.5, null],
    []
  ]
}
)";

std::vector<std::string> random_names(base::RandomStream& random, const std::string& prefix, int size) {
  const std::vector<std::string> tails = {"", " \"quoted\"", "\n", "é", "\\", "\x01", "𝛼", "/"};
  std::vector<std::string> names(static_cast<std::size_t>(size), prefix);
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i].append(std::to_string(i)).append(tails[random.next_bits() % tails.size()]);
  }
  return names;
}

// A point of the simplex with structural zeros where `allowed` says so.
void append_text_row(base::RandomStream& random, const std::vector<char>& allowed, std::vector<double>& to) {
  std::vector<double> weights(allowed.size(), 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] != 0) total += weights[i] = std::exp(20.0 * random.normal());
  }
  for (const double w : weights) to.push_back(w / total);
}

Dynamics random_dynamics(base::RandomStream& random, const Structure& structure) {
  Dynamics dynamics;
  const std::vector<char> every_state(structure.states.size(), 1);
  append_text_row(random, every_state, dynamics.initial);
  const auto width = static_cast<std::ptrdiff_t>(structure.observations.size());
  for (int a = 0; a < structure.action_count(); ++a) {
    const auto first = structure.allowed.begin() + a * width;
    const std::vector<char> outcomes(first, first + width);
    for (int s = 0; s < structure.state_count(); ++s) {
      append_text_row(random, every_state, dynamics.transition);
      if (structure.is_terminal(a)) {
        dynamics.observation.insert(dynamics.observation.end(), outcomes.size(), 0.0);
      } else {
        append_text_row(random, outcomes, dynamics.observation);
      }
    }
  }
  return dynamics;
}

std::vector<double> random_weights(base::RandomStream& random, std::size_t size) {
  std::vector<double> weights(size);
  for (double& w : weights) w = std::exp(10.0 * random.normal()) * random.normal();
  return weights;
}

PolicyTerms random_terms(base::RandomStream& random, const Structure& structure) {
  const std::size_t actions = structure.actions.size();
  PolicyTerms terms;
  terms.inertia = 0.4 * random.uniform();
  terms.lapse = random.uniform() < 0.5 ? 0.0 : 0.4 * random.uniform();
  terms.covariates.push_back({"c", random_names(random, "k", 3), 0.0, 1.0});
  terms.covariates.push_back({"x \"y\"", {}, random.normal(), std::exp(random.normal())});
  terms.covariates.push_back({"site", random_names(random, "k", 2), 0.0, 1.0});
  const auto add = [&](TermKind kind, int covariate, int period, std::size_t levels) {
    if (random.uniform() < 0.3) return;
    terms.additive.push_back({kind, covariate, period, random_weights(random, levels * actions)});
  };
  add(TermKind::kHabit, -1, 0, actions);
  if (random.uniform() < 0.5) {
    add(TermKind::kTime, -1, 0, 4);
  } else {
    add(TermKind::kTime, -1, 3, 3);
  }
  add(TermKind::kResultMissing, -1, 0, 1);
  add(TermKind::kContext, 1, 0, 1);
  add(TermKind::kContext, 0, 0, 3);
  add(TermKind::kGroup, 2, 0, 2);
  return terms;
}

Model random_model(std::uint64_t seed) {
  base::RandomStream random(seed);
  const auto size = [&](int most) {
    return 1 + static_cast<int>(random.next_bits() % static_cast<unsigned>(most));
  };
  Model model;
  model.structure =
      Structure::unrestricted(random_names(random, "s", size(6)), random_names(random, "a", size(5)),
                              random_names(random, "z", size(7)));
  Structure& structure = model.structure;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (random.uniform() < 0.3) {
      structure.make_terminal(a);
    } else if (random.uniform() < 0.5) {
      for (int z = 1; z < structure.observation_count(); ++z) {
        structure.allowed[static_cast<std::size_t>(a) * structure.observations.size() + z] =
            random.uniform() < 0.5;
      }
    }
  }
  model.agent.dynamics = random_dynamics(random, structure);
  if (random.uniform() < 0.5) model.world = random_dynamics(random, structure);
  model.agent.policy.inverse_temperature = std::exp(5.0 * random.normal());
  for (int a = 0; a < structure.action_count(); ++a) {
    double rest = 1.0;
    for (int s = 1; s < structure.state_count(); ++s) {
      model.agent.policy.means.push_back(random.normal());
      rest -= model.agent.policy.means.back();
    }
    model.agent.policy.means.push_back(rest);
  }
  if (random.uniform() < 0.5) model.agent.policy.terms = random_terms(random, structure);
  if (random.uniform() < 0.3) {
    const Policy& policy = model.agent.policy;
    model.agent.policy.other_kinds = {{0.5 * random.uniform() + 0.01, 2.5, policy.means},
                                      {0.25, 1.0 / 3.0, policy.means}};
  }
  return model;
}

std::vector<std::uint64_t> bits_of(const Model& model) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](const std::vector<double>& numbers) {
    for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
  };
  const auto add_dynamics = [&](const Dynamics& dynamics) {
    add(dynamics.initial);
    add(dynamics.transition);
    add(dynamics.observation);
  };
  add_dynamics(model.agent.dynamics);
  add(model.agent.policy.means);
  add({model.agent.policy.inverse_temperature});
  const PolicyTerms& terms = model.agent.policy.terms;
  add({terms.inertia, terms.lapse});
  for (const PolicyCovariate& covariate : terms.covariates) add({covariate.centre, covariate.scale});
  for (const PolicyTerm& term : terms.additive) add(term.weights);
  if (model.world) add_dynamics(*model.world);
  return bits;
}

// Read by RapidCheck before its first property: the same models in every run, unless RC_PARAMS asks for
// others.
[[maybe_unused]] const int kSeedFixed = ::setenv("RC_PARAMS", "seed=20210503 max_success=500", 0);

RC_GTEST_PROP(ModelFile, KeepsEveryBitAndIsStableWhenWrittenAgain, (std::uint64_t seed)) {
  const Model model = random_model(seed);
  const std::string text = format_model(model);
  const Model read = parse_model(text, "m.json");
  RC_ASSERT(read.structure == model.structure);
  RC_ASSERT(read.agent.policy == model.agent.policy);
  RC_ASSERT(bits_of(read) == bits_of(model));
  RC_ASSERT(format_model(read) == text);
}

TEST(ModelFile, PublishedExampleLoads) {
  const Model model = parse_model(kPublished, "m.json");
  Structure expected = Structure::unrestricted(
      {"healthy", "diseased"}, {"monitor", "declare-healthy", "declare-diseased"}, {"negative", "positive"});
  expected.make_terminal(1);
  expected.make_terminal(2);
  EXPECT_EQ(model.structure, expected);
  EXPECT_THAT(model.agent.dynamics.initial, testing::ElementsAre(0.5, 0.5));
  EXPECT_THAT(model.agent.dynamics.transition, testing::ElementsAre(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(model.agent.dynamics.observation,
              testing::ElementsAre(0.6, 0.4, 0.4, 0.6, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(model.agent.policy.inverse_temperature, 10.0);
  EXPECT_THAT(model.agent.policy.means, testing::ElementsAre(0.5, 0.5, 1.3, -0.3, -0.3, 1.3));
  EXPECT_FALSE(model.world.has_value());
}

TEST(ModelFile, LayoutIsStableAndExtrasFollow) {
  const Model model = parse_model(kWritten, "m.json");
  EXPECT_FALSE(model.structure.can_yield(0, 2));
  EXPECT_TRUE(model.structure.can_yield(0, 1));
  EXPECT_TRUE(model.structure.is_terminal(1));
  EXPECT_EQ(model.world->observation[4], 0.9);
  const std::string extras =
      R"({"provenance": {"program": "interpole \"1\"", "seeds": [1,2], "none": {}}, "table": [[1.5,null],[]]})";
  EXPECT_EQ(format_model(model, extras), kWritten);
}

TEST(ModelFile, TermsOfThePolicyFollowTheMeans) {
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

TEST(ModelFile, KindsOfDecisionMakersFollowTheTerms) {
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

TEST(ModelFile, StartingBeliefsByCovariatesFollowTheTerms) {
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

TEST(ModelFile, TermsThatAddNothingAreNotWritten) {
  Model model = parse_model(kPublished, "m.json");
  const std::string before = format_model(model);
  EXPECT_THAT(before, HasSubstr("\"version\": 1,"));
  model.agent.policy.terms.covariates = {{"age", {}, 60.0, 9.0}};
  EXPECT_EQ(format_model(model), before);
  std::string text = kPublished;
  text.replace(text.find("1,"), 2, R"(2, "policy": {"lapse": 0},)");
  EXPECT_EQ(parse_model(text, "m.json"), parse_model(kPublished, "m.json"));
}

TEST(ModelFile, NegativeZeroAndExtremeNumbersSurvive) {
  Model model = parse_model(kPublished, "m.json");
  model.agent.dynamics.transition[1] = -0.0;
  model.agent.dynamics.transition[2] = std::numeric_limits<double>::denorm_min();
  model.agent.policy.inverse_temperature = 1e22;
  model.agent.policy.means = {0.5, 0.5, 1e15 + 0.5, 0.5 - 1e15, 1.0 + 0x1p-52, -0x1p-52};
  const Model read = parse_model(format_model(model), "m.json");
  EXPECT_EQ(bits_of(read), bits_of(model));
}

TEST(ModelFile, ByteOrderMarkIsSkipped) {
  EXPECT_EQ(parse_model("\xEF\xBB\xBF" + std::string(kPublished), "m.json"),
            parse_model(kPublished, "m.json"));
}

TEST(ModelFile, RefusesToWriteWhatCouldNotBeRead) {
  const auto refusal = [](const Model& model, const std::string& extras = "{}") -> std::string {
    return base::complaint_of([&] { format_model(model, extras); }, ErrorKind::kRuntime);
  };
  const Model good = parse_model(kPublished, "m.json");
  EXPECT_EQ(refusal(good), "accepted");
  Model bad = good;
  bad.agent.dynamics.transition[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(bad), HasSubstr("model to write: transition[0][1][1]: nan is not a finite number"));
  bad = good;
  bad.agent.policy.inverse_temperature = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal(bad), HasSubstr("inverse_temperature: inf is not a finite number"));
  bad = good;
  bad.world = good.agent.dynamics;
  bad.world->initial = {0.5, 0.6};
  EXPECT_THAT(refusal(bad), HasSubstr("world.initial_belief: the row sums to 1.1, not to 1"));
  bad = good;
  bad.structure.states[0] = "\xFF";
  EXPECT_THAT(refusal(bad), HasSubstr("not valid UTF-8"));
  bad = good;
  bad.agent.policy.terms.lapse = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(bad), HasSubstr("model to write: policy.lapse: nan is not a finite number"));
  bad = good;
  bad.agent.policy.terms.additive = {{TermKind::kContext, 0, 0, {1, 0, -1}}};
  EXPECT_THAT(refusal(bad), HasSubstr("policy.terms[0]: it names no covariate of the model"));
  bad.agent.policy.terms.additive = {{TermKind::kHabit, 0, 0, std::vector<double>(9, 0.0)}};
  EXPECT_THAT(refusal(bad), HasSubstr("policy.terms[0]: it follows no covariate"));
  bad.agent.policy.terms.additive = {{TermKind::kHabit, -1, 3, std::vector<double>(9, 0.0)}};
  EXPECT_THAT(refusal(bad), HasSubstr("policy.terms[0]: a period of 3; only time has one"));
  bad.agent.policy.terms.additive = {{TermKind::kHabit, -1, 0, std::vector<double>(8, 0.0)}};
  EXPECT_THAT(refusal(bad), HasSubstr("policy.terms[0]: 8 weights where 9 belong"));
  EXPECT_THAT(refusal(good, R"({"means": 1})"),
              HasSubstr("extras of the model file: means: this key belongs"));
  EXPECT_THAT(refusal(good, "[1]"), HasSubstr("expected an object, found an array"));
  EXPECT_THAT(refusal(good, "{"), HasSubstr("extras of the model file"));
}

TEST(ModelFile, WritesAndReadsAFile) {
  const auto path =
      (std::filesystem::temp_directory_path() / ("interpole_model_" + std::to_string(::getpid()) + ".json"))
          .string();
  const Model model = random_model(1);
  write_model(path, model, R"({"seed": 1})");
  EXPECT_EQ(bits_of(read_model(path)), bits_of(model));
  // A failed write leaves what was there.
  Model bad = model;
  bad.agent.policy.means[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(write_model(path, bad), Error);
  EXPECT_EQ(bits_of(read_model(path)), bits_of(model));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace interpole::model
