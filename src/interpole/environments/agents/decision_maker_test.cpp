#include "interpole/environments/agents/decision_maker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "interpole/environments/agents/history_weights.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

TEST(DecisionMakers, DecideByChancesThatSumToOneAndDifferWithTheHistory) {
  for (const std::string& name : decision_maker_names()) {
    for (const int actions : {2, 4, 8}) {
      const DecisionMaker maker = decision_maker(name, actions, 1);
      maker.structure.validate(name);
      std::vector<Record> records;
      for (int patient = 1; patient <= 20; ++patient) records.push_back(met_by(maker, 1, patient));
      const HistoryTree tree = build_history_tree(actions, records, true, RecordClasses::kApart);
      const auto policies = true_policies(maker, tree, records);
      double spread = 0.0;
      const auto first = tree.path_of(records[0].steps, records[0].covariates);
      for (std::size_t t = 0; t < first.size(); ++t) {
        const double* row = &policies[static_cast<std::size_t>(first[t]) * actions];
        EXPECT_NEAR(std::accumulate(row, row + actions, 0.0), 1.0, 1e-12) << name;
        spread = std::max(spread, std::abs(row[0] - policies[static_cast<std::size_t>(first[0]) * actions]));
      }
      EXPECT_GT(spread, 0.01) << name;
      EXPECT_EQ(met_by(maker, 1, 7).steps, met_by(maker, 1, 7).steps);
    }
  }
}

// Of many patients with the same first step, as many take each second action as the policy says.
TEST(DecisionMakers, RecordsFollowThePolicy) {
  const DecisionMaker maker = decision_maker("network", 4, 2);
  constexpr int kPatients = 20'000;
  std::map<std::pair<int, int>, std::vector<double>> taken;
  for (int patient = 1; patient <= kPatients; ++patient) {
    const Record record = met_by(maker, 3, patient);
    auto& counts = taken[{record.steps[0].action, record.steps[0].observation}];
    counts.resize(4, 0.0);
    ++counts[record.steps[1].action];
  }
  for (const auto& [step, counts] : taken) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<double> chances(4);
    const std::vector<Step> history = {{step.first, step.second}};
    maker.policy->chances(history, {}, chances);
    for (int a = 0; a < 4; ++a) {
      const double error = std::sqrt(std::max(chances[a] * (1.0 - chances[a]), 1e-4) / total);
      EXPECT_NEAR(counts[a] / total, chances[a], 5.0 * error);
    }
  }
}

// The chance of a whole record is the mixture of what the two would have done.
TEST(TwoClinicians, AreAMixtureOverWholeRecords) {
  base::RandomStream random(4);
  const LinearPolicy first(3, 1.0, random), second(3, 1.0, random);
  const TwoClinicians both(first, second, 0.6);
  const std::vector<Step> record = {{0, 4}, {2, 1}, {1, 8}, {1, 0}};
  const std::vector<double> covariates = {0.5, -1.0};
  const auto chance = [&](const HistoryPolicy& policy) {
    std::vector<double> row(3);
    double product = 1.0;
    for (std::size_t t = 0; t < record.size(); ++t) {
      policy.chances(std::span(record).first(t), covariates, row);
      product *= row[record[t].action];
    }
    return product;
  };
  EXPECT_NEAR(chance(both), 0.6 * chance(first) + 0.4 * chance(second), 1e-14);
}

TEST(DecisionMakers, RefusesNamesAndNumbersThereAreNot) {
  const auto refusal = [](const std::string& name, int actions) -> std::string {
    try {
      decision_maker(name, actions, 1);
    } catch (const Error& error) {
      return error.what();
    }
    return "made one";
  };
  EXPECT_THAT(refusal("linnear", 2),
              ::testing::HasSubstr("linear, network, two-clinicians, planner, belief"));
  EXPECT_THAT(refusal("linear", 1), ::testing::HasSubstr("1 is not between 2 and 64"));
}

}  // namespace
}  // namespace interpole::environments
