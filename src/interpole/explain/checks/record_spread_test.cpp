#include "interpole/explain/checks/record_spread.hpp"

#include <gtest/gtest.h>

#include "interpole/environment.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

struct Clinic {
  Structure structure = testing::some_structure(2, 3, 2);
  Parameters agent;
  Clinic() {
    base::RandomStream random(5, 1);
    agent = testing::random_parameters(structure, random);
    agent.policy.inverse_temperature = 1.0;
  }
};

TEST(RecordSpread, IsThatOfChanceWhereAllDecideAlike) {
  const Clinic clinic;
  int beyond = 0;
  double sum = 0.0;
  for (int set = 0; set < 200; ++set) {
    const auto records = testing::random_records(clinic.structure, clinic.agent, 300, 12, 100 + set);
    const auto spread = record_spread(build_history_tree(3, records), clinic.structure, clinic.agent);
    beyond += spread.more_than_chance();
    sum += spread.ratio;
  }
  EXPECT_EQ(beyond, 0);
  EXPECT_NEAR(sum / 200.0, 1.0, 0.1);  // the largest of three
}

TEST(RecordSpread, ShowsTwoKindsThatOneModelAverages) {
  Environment quick = plain_ward();
  Environment slow = plain_ward();
  quick.truth.agent.policy.means = {1.15, -0.15, 0.85, 0.15, 0.35, 0.65};
  slow.truth.agent.policy.means = {0.75, 0.25, 0.3, 0.7, -0.2, 1.2};
  std::vector<Record> records;
  const auto add = [&](const Record& record) { records.push_back(record); };
  simulate(quick, {.patients = 500, .seed = 1}, add);
  simulate(slow, {.patients = 500, .seed = 2}, add);
  const Structure& structure = quick.truth.structure;
  const HistoryTree tree = build_history_tree(3, records);
  learn::FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.uncertainty = false;
  const auto fit = learn::fit(tree, DecisionProblem::open(structure), options, quiet_sink());
  const auto spread = record_spread(tree, structure, fit.parameters);
  EXPECT_TRUE(spread.more_than_chance()) << spread.deviation;
  EXPECT_GT(spread.ratio, 1.1);
  EXPECT_NE(sentence_of(structure, spread).find("several kinds"), std::string::npos);
}

}  // namespace
}  // namespace interpole::explain
