// What every row of the registry must do, whatever it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "interpole/base/stops_after_testing.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/registry/learner_file.hpp"
#include "interpole/learners/registry/registry.hpp"
#include "interpole/simulate.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

// Nobody needs ten restarts to keep a promise.
LearnerOptions quick_options(const Learner& learner, std::uint64_t seed = 1, int threads = 1) {
  LearnerOptions options{seed, threads, {}};
  for (const LearnerOption& option : learner.options()) {
    if (option.name == "restarts") options.set.emplace_back("restarts", 3);
    if (option.name == "steps") options.set.emplace_back("steps", 60);
    if (option.name == "chains") options.set.emplace_back("chains", 2);
    if (option.name == "units") options.set.emplace_back("units", 16);
    if (option.name == "patience") options.set.emplace_back("most-iterations", 80);
  }
  return options;
}

class LearnerContract : public ::testing::TestWithParam<std::string> {
 protected:
  const Learner& learner() const { return learner_named(GetParam()); }

  std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const Study& study, std::uint64_t seed = 1,
                                     int threads = 1) const {
    return learner().fit(tree, study, quick_options(learner(), seed, threads), quiet_sink());
  }

  // Three states, three actions, masks and missing outcomes.
  static Study three_states() {
    Study study = testing::open_study(3, 3, 3);
    study.structure.allowed[2] = 0;  // the first action cannot yield the third outcome
    return study;
  }
  static std::vector<Record> records_of(const Study& study, int count, std::uint64_t seed) {
    const Model model = environments::random_model(study.structure, 5);
    return testing::random_records(study.structure, model.agent, count, 6, seed, 0.2);
  }
};

void expect_probabilities(const std::vector<double>& policies, const HistoryTree& tree) {
  const auto actions = static_cast<std::size_t>(tree.action_count);
  ASSERT_EQ(policies.size(), tree.parent.size() * actions);
  for (std::size_t at = 0; at < policies.size(); at += actions) {
    double sum = 0.0;
    for (std::size_t a = 0; a < actions; ++a) {
      ASSERT_TRUE(std::isfinite(policies[at + a]) && policies[at + a] >= 0.0);
      sum += policies[at + a];
    }
    ASSERT_NEAR(sum, 1.0, 1e-6);  // some learners work in single precision
  }
}

void expect_sound(const FittedLearner& fitted, const HistoryTree& tree, const Structure& structure) {
  expect_probabilities(fitted.policies(tree), tree);
  EXPECT_FALSE(fitted.fit_note().empty());
  const auto beliefs = fitted.beliefs(tree);
  if (!beliefs) return;
  const std::size_t states = structure.states.size();
  ASSERT_EQ(beliefs->size(), tree.parent.size() * states);
  for (std::size_t at = 0; at < beliefs->size(); at += states) {
    ASSERT_NEAR(std::accumulate(&(*beliefs)[at], &(*beliefs)[at] + states, 0.0), 1.0, 1e-9);
  }
}

TEST_P(LearnerContract, PredictsOnDiagAndOnHistoriesItNeverSaw) {
  const Study study = testing::bias_study();
  const auto fitted = fit(environments::simulated_tree(diag(), 60, 1), study);
  expect_sound(*fitted, environments::simulated_tree(diag(), 60, 1), study.structure);
  expect_sound(*fitted, environments::simulated_tree(diag(), 200, 2), study.structure);
}

TEST_P(LearnerContract, PredictsWithThreeStatesMasksAndMissingOutcomes) {
  const Study study = three_states();
  const auto fitted = fit(build_history_tree(3, records_of(study, 80, 1)), study);
  expect_sound(*fitted, build_history_tree(3, records_of(study, 80, 1)), study.structure);
  expect_sound(*fitted, build_history_tree(3, records_of(study, 300, 2)), study.structure);
}

// Classes of records that are kept apart have histories of their own. A learner that does not follow
// covariates says the same of them in every class.
TEST_P(LearnerContract, PredictsWhereClassesOfRecordsAreApart) {
  const Study study = testing::bias_study();
  const auto fitted = fit(environments::simulated_tree(diag(), 60, 1), study);
  std::vector<Record> records;
  for (int patient = 1; patient <= 50; ++patient) {
    records.push_back(simulate_record(diag(), 3, patient));
    records.back().covariates = {static_cast<double>(patient % 3)};
  }
  const HistoryTree forest = build_history_tree(3, records, true, RecordClasses::kApart);
  const HistoryTree tree = build_history_tree(3, records);
  const auto in_forest = fitted->policies(forest);
  const auto in_tree = fitted->policies(tree);
  expect_probabilities(in_forest, forest);
  for (const Record& record : records) {
    const auto there = forest.path_of(record.steps, record.covariates);
    const auto here = tree.path_of(record.steps);
    for (std::size_t t = 0; t < here.size(); ++t) {
      for (int a = 0; a < 3; ++a) ASSERT_NEAR(in_forest[there[t] * 3 + a], in_tree[here[t] * 3 + a], 1e-9);
    }
  }
}

TEST_P(LearnerContract, SavedAndLoadedPredictsTheSame) {
  const Study study = three_states();
  const HistoryTree tree = build_history_tree(3, records_of(study, 60, 3));
  const auto fitted = fit(tree, study);
  const std::string text = format_learner(learner().name(), study.structure, *fitted);
  const SavedLearner saved = parse_learner(text, "saved.json");
  EXPECT_EQ(saved.structure, study.structure);
  EXPECT_EQ(saved.learner->policies(tree), fitted->policies(tree));
  const auto& content = fitted->model() != nullptr ? text : fitted->to_json();
  EXPECT_EQ(learner().load(content, study.structure, "saved.json")->policies(tree), fitted->policies(tree));
}

std::string refusal_of_file(const std::string& text) {
  try {
    parse_learner(text, "saved.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "taken";
}

TEST_P(LearnerContract, RefusesAFileCutShort) {
  const Study study = three_states();
  const auto fitted = fit(build_history_tree(3, records_of(study, 30, 3)), study);
  const std::string text = format_learner(learner().name(), study.structure, *fitted);
  constexpr std::size_t kCuts = 60;
  const std::size_t whole = text.find_last_of('}');
  for (std::size_t cut = 0; cut <= kCuts; ++cut) {
    EXPECT_THAT(refusal_of_file(text.substr(0, whole * cut / kCuts)), HasSubstr("saved.json")) << cut;
  }
}

// Lists of a learner file in the order in which they are written, by their place; the first of each kind.
void first_lists(const nlohmann::ordered_json& value, const nlohmann::ordered_json::json_pointer& place,
                 std::vector<nlohmann::ordered_json::json_pointer>& found) {
  if (value.is_array() && !value.empty()) {
    found.push_back(place);
    first_lists(value.front(), place / 0, found);
  }
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.items()) first_lists(member, place / key, found);
}

TEST_P(LearnerContract, RefusesAListThatLacksItsEnd) {
  const Study study = three_states();
  const auto fitted = fit(build_history_tree(3, records_of(study, 30, 3)), study);
  if (fitted->model() != nullptr) GTEST_SKIP() << "a model file: see model/file";
  const auto file = nlohmann::ordered_json::parse(format_learner(learner().name(), study.structure, *fitted));
  std::vector<nlohmann::ordered_json::json_pointer> lists;
  first_lists(file.at("content"), nlohmann::ordered_json::json_pointer("/content"), lists);
  ASSERT_FALSE(lists.empty());
  const std::set<std::string> any_number = {"draws", "networks",
                                            "planning_points"};  // one fewer is a file too
  for (const auto& place : lists) {
    if (any_number.contains(place.back())) continue;
    auto shorter = file;
    auto& list = shorter.at(place);
    list.erase(list.size() - 1);
    EXPECT_THAT(refusal_of_file(shorter.dump()), HasSubstr("saved.json: content.")) << place.to_string();
  }
}

TEST_P(LearnerContract, IsFixedByItsSeedWhateverTheThreads) {
  const Study study = testing::bias_study();
  const HistoryTree tree = environments::simulated_tree(bias(), 80, 4);
  const std::vector<double> once = fit(tree, study, 7, 1)->policies(tree);
  EXPECT_EQ(fit(tree, study, 7, 1)->policies(tree), once);
  EXPECT_EQ(fit(tree, study, 7, 2)->policies(tree), once);
  EXPECT_EQ(fit(tree, study, 7, 5)->policies(tree), once);
}

TEST_P(LearnerContract, LearnsFromOnePatient) {
  const Study study = testing::bias_study();
  const std::vector<Record> one = {{"p", {{0, 1}, {2, kMissing}}}};
  expect_sound(*fit(build_history_tree(3, one), study), environments::simulated_tree(diag(), 30, 1),
               study.structure);
  const std::vector<Record> shortest = {{"p", {{1, kMissing}}}};
  expect_sound(*fit(build_history_tree(3, shortest), study), environments::simulated_tree(diag(), 30, 1),
               study.structure);
}

TEST_P(LearnerContract, LearnsWhereThereIsOneActionOnly) {
  const Study study = testing::open_study(2, 1, 2);
  const Model model = environments::random_model(study.structure, 3);
  const HistoryTree tree =
      build_history_tree(1, testing::random_records(study.structure, model.agent, 20, 5, 1, 0.1));
  const auto fitted = fit(tree, study);
  for (const double p : fitted->policies(tree)) EXPECT_NEAR(p, 1.0, 1e-6);
}

TEST_P(LearnerContract, StopsWhenAsked) {
  base::StopsAfter stopping(0);
  try {
    learner().fit(environments::simulated_tree(diag(), 50, 1), testing::bias_study(),
                  quick_options(learner()), stopping);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST_P(LearnerContract, RefusesAnOptionItDoesNotDescribe) {
  LearnerOptions options;
  options.set = {{"smoothign", 1.0}};
  try {
    learner().fit(environments::simulated_tree(diag(), 10, 1), testing::bias_study(), options, quiet_sink());
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("smoothign"));
  }
}

TEST_P(LearnerContract, RefusesOptionsOutOfRange) {
  const HistoryTree tree = environments::simulated_tree(diag(), 10, 1);
  for (const LearnerOption& option : learner().options()) {
    for (const double value : {option.lowest - 1.0, 2.0 * option.highest + 1.0, std::nan("")}) {
      try {
        learner().fit(tree, testing::bias_study(), {.set = {{option.name, value}}}, quiet_sink());
        ADD_FAILURE() << option.name << " took " << value;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUsage);
        EXPECT_THAT(error.what(), HasSubstr("learner option " + option.name + ": "));
        EXPECT_THAT(error.what(), HasSubstr("number from"));
      }
    }
  }
}

TEST_P(LearnerContract, DescribesItself) {
  EXPECT_FALSE(learner().description().empty());
  for (const LearnerOption& option : learner().options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_LE(option.lowest, option.value) << option.name;
    EXPECT_GE(option.highest, option.value) << option.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, LearnerContract, ::testing::ValuesIn(learner_names()),
                         [](const auto& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Registry, NamesTheKnownOnesAndTheClosest) {
  try {
    learner_named("majorty");
    FAIL() << "found it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("\"majorty\" is not a learner; did you mean \"majority\"?"));
    for (const std::string& name : learner_names()) EXPECT_THAT(error.what(), HasSubstr(name));
  }
}

}  // namespace
}  // namespace interpole::learners
