#include "interpole/explain/checks/record_spread.hpp"

#include <gtest/gtest.h>

#include "interpole/inference/oracle_testing.hpp"

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
  const Clinic clinic;
  Parameters quick = clinic.agent;
  Parameters slow = clinic.agent;
  quick.policy.terms.lapse = slow.policy.terms.lapse = 0.0;
  for (int s = 0; s < 2; ++s) {
    quick.policy.means[s] += s == 0 ? 0.8 : -0.8;
    slow.policy.means[s] -= s == 0 ? 0.8 : -0.8;
  }
  auto records = testing::random_records(clinic.structure, quick, 500, 12, 1);
  for (auto& record : testing::random_records(clinic.structure, slow, 500, 12, 2)) records.push_back(record);
  const auto spread = record_spread(build_history_tree(3, records), clinic.structure, clinic.agent);
  EXPECT_TRUE(spread.more_than_chance()) << spread.deviation;
  EXPECT_NE(sentence_of(clinic.structure, spread).find("several kinds"), std::string::npos);
}

}  // namespace
}  // namespace interpole::explain
