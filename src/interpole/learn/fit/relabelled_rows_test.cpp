#include "interpole/learn/fit/relabelled_rows.hpp"

#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

TEST(RelabelledRows, GoWhereTheNumbersGo) {
  const Study study = testing::open_study(3, 3, 2);
  const model::DynamicsSpace space(study.structure, study.known.dynamics);
  std::vector<double> rows;
  for (std::size_t r = 0; r < space.blocks().size(); ++r) rows.push_back(0.1 * static_cast<double>(r + 1));
  const std::vector<double> before = rows;
  const std::vector<int> order = {2, 0, 1};
  permute_rows(study, order, rows);
  const auto place = [&](const std::string& name) {
    for (std::size_t r = 0; r < before.size(); ++r) {
      if (space.blocks()[r].name == name) return r;
    }
    return before.size();
  };
  EXPECT_EQ(rows[place("initial_belief")], before[place("initial_belief")]);
  EXPECT_EQ(rows[place("transition[a1,s0]")], before[place("transition[a1,s2]")]);
  EXPECT_EQ(rows[place("observation[a0,s1]")], before[place("observation[a0,s0]")]);
  std::vector<double> none;
  permute_rows(study, order, none);
  EXPECT_TRUE(none.empty());
}

TEST(RelabelledRows, NamesStatesAsInTheOther) {
  const Study study = testing::open_study(3, 3, 2);
  base::RandomStream random(3);
  const AgentWorld like{testing::random_parameters(study.structure, random), {}};
  const AgentWorld other = permute_states(study.structure, like, {1, 2, 0});
  EXPECT_EQ(named_alike(study, other, like), like);
}

}  // namespace
}  // namespace interpole::learn
