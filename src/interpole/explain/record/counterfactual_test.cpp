#include "interpole/counterfactual.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/belief.hpp"
#include "interpole/explain/audit/test_value.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::explain {
namespace {

// p(s_1 … s_t+1, z_1 … z_t | a_1 … a_t) summed over all paths of hidden states, straight from the definition:
// the belief after a history, and with it the probability of its outcomes.
std::vector<double> by_all_paths(const Structure& structure, const Dynamics& d,
                                 std::span<const Step> history) {
  const int S = structure.state_count();
  const int Z = structure.observation_count();
  std::vector<double> joint(S, 0.0);
  int paths = S;
  for (std::size_t t = 0; t < history.size(); ++t) paths *= S;
  for (int path = 0; path < paths; ++path) {
    int rest = path;
    int state = rest % S;
    double p = d.initial[state];
    for (const Step& step : history) {
      rest /= S;
      const int next = rest % S;
      p *= d.transition[(step.action * S + state) * S + next];
      if (step.observation != kMissing) p *= d.observation[(step.action * S + next) * Z + step.observation];
      state = next;
    }
    joint[state] += p;
  }
  return joint;
}

double sum(const std::vector<double>& x) {
  double total = 0.0;
  for (const double v : x) total += v;
  return total;
}

TEST(Counterfactual, EqualsTheSumOverAllHiddenPaths) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    base::RandomStream random(seed);
    const int S = 2 + static_cast<int>(seed % 3);
    const auto structure = testing::some_structure(S, 3, 4);
    const auto agent = testing::random_parameters(structure, random);
    const auto world = testing::random_parameters(structure, random).dynamics;
    std::vector<Step> history;
    for (std::uint64_t t = 0; t < seed % 4; ++t) {
      history.push_back({static_cast<int>((seed + t) % 2), static_cast<int>((3 * seed + t) % 5) - 1});
    }
    const auto normalised = [](std::vector<double> x) {
      const double total = sum(x);
      for (double& v : x) v /= total;
      return x;
    };
    const auto belief = normalised(by_all_paths(structure, agent.dynamics, history));
    const auto outside = normalised(by_all_paths(structure, world, history));
    const auto all = counterfactuals(structure, agent, belief, WorldView{&world, outside});
    ASSERT_EQ(all.size(), 2u);
    for (const ActionBranches& branches : all) {
      ASSERT_EQ(branches.outcomes.size(), 4u);
      const auto bits = [&](const Dynamics& dynamics) {
        auto path = history;
        path.push_back({branches.action, kMissing});
        const auto unseen = by_all_paths(structure, dynamics, path);
        const double evidence = sum(unseen);
        double total = 0.0;
        for (int z = 0; z < 4; ++z) {
          path.back().observation = z;
          const auto seen = by_all_paths(structure, dynamics, path);
          const double pz = sum(seen) / evidence;
          for (int s = 0; s < S; ++s) {
            const double joint = seen[s] / evidence;
            total += joint * std::log2(joint / (pz * unseen[s] / evidence));
          }
        }
        return total;
      };
      EXPECT_NEAR(branches.information, bits(agent.dynamics), 1e-12);
      EXPECT_NEAR(*branches.information_world, bits(world), 1e-12);
      double chances = 0.0;
      for (const OutcomeBranch& branch : branches.outcomes) {
        auto path = history;
        path.push_back({branches.action, branch.observation});
        const auto joint = by_all_paths(structure, agent.dynamics, path);
        path.back().observation = kMissing;
        const double before = sum(by_all_paths(structure, agent.dynamics, path));
        EXPECT_NEAR(branch.chance, sum(joint) / before, 1e-12);
        const auto expected = normalised(joint);
        for (int s = 0; s < S; ++s) EXPECT_NEAR(branch.belief[s], expected[s], 1e-12);
        const auto policy = action_probabilities(structure, agent.policy, expected);
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(branch.policy[a], policy[a], 1e-10);
        chances += branch.chance;
      }
      EXPECT_NEAR(chances, 1.0, 1e-12);
    }
  }
}

TEST(Counterfactual, AnOutcomeThatTellsNothingHasNoInformation) {
  const auto structure = Structure::unrestricted({"x", "y"}, {"a"}, {"u", "v"});
  Parameters agent = Parameters::filled(structure, 0.0);
  agent.dynamics = {{0.3, 0.7}, {1, 0, 0, 1}, {0.4, 0.6, 0.4, 0.6}};
  agent.policy = {1.0, {0.5, 0.5}};
  const auto branches = action_branches(structure, agent, agent.dynamics.initial, 0);
  EXPECT_NEAR(branches.information, 0.0, 1e-15);
  EXPECT_FALSE(branches.information_world);
  EXPECT_FALSE(branches.decides);
  // A perfect test of a fair coin tells one bit.
  agent.dynamics = {{0.5, 0.5}, {1, 0, 0, 1}, {1, 0, 0, 1}};
  EXPECT_DOUBLE_EQ(expected_information(structure, agent.dynamics, agent.dynamics.initial, 0), 1.0);
}

// A factor that was not read: the belief is the average over the results it could have had, by their chances.
TEST(Counterfactual, WithoutAFactorIsTheAverageOverItsResults) {
  Study study;
  study.structure = Structure::unrestricted({"x", "y", "z"}, {"a", "b"},
                                            {"u | l", "u | m", "u | h", "v | l", "v | m", "v | h"});
  for (int z = 0; z < 6; ++z)
    study.structure.allowed[6 + z] = z % 3 == 0 ? 1 : 0;  // b: the first factor alone
  const OutcomeFactors factors = outcome_factors(study);
  base::RandomStream random(11);
  auto agent = testing::random_parameters(study.structure, random);
  const std::vector<double> belief = {0.2, 0.5, 0.3};
  const auto branches = action_branches(study.structure, agent, belief, 0);
  for (int z = 0; z < 6; ++z) {
    const auto without = without_each_factor(study.structure, factors, agent, belief, {0, z});
    ASSERT_EQ(without.size(), 2u);
    for (const FactorBranch& found : without) {
      const int other = 1 - found.factor;
      double chance = 0.0;
      std::vector<double> mean(3, 0.0);
      for (const OutcomeBranch& branch : branches.outcomes) {
        if (factors.level_of(branch.observation, other) != factors.level_of(z, other)) continue;
        chance += branch.chance;
        for (int s = 0; s < 3; ++s) mean[s] += branch.chance * branch.belief[s];
      }
      EXPECT_NEAR(found.branch.chance, chance, 1e-14);
      for (int s = 0; s < 3; ++s) EXPECT_NEAR(found.branch.belief[s], mean[s] / chance, 1e-14);
      EXPECT_EQ(found.branch.next_action,
                most_likely_action(study.structure, agent.policy, found.branch.belief));
    }
  }
  const int all[] = {0, 1};
  const auto nothing = partly_read(study.structure, factors, agent.dynamics, belief, {0, 3}, all);
  for (int s = 0; s < 3; ++s) EXPECT_NEAR(nothing.belief[s], branches.unseen.belief[s], 1e-14);
  // One factor alone, or none seen: there is nothing to leave out but the whole result.
  EXPECT_TRUE(without_each_factor(study.structure, factors, agent, belief, {1, 3}).empty());
  EXPECT_TRUE(without_each_factor(study.structure, factors, agent, belief, {0, kMissing}).empty());
}

TEST(TestValue, AveragesOverVisitsWithAndWithoutTheTest) {
  Model model{testing::bias_study().structure, testing::bias_parameters(), {}};
  model.world = model.agent.dynamics;
  model.world->observation[2] = 0.4;
  model.world->observation[3] = 0.6;
  const std::vector<Record> records = {{"p", {{0, 1}, {2, kMissing}}},
                                       {"q", {{0, 1}, {0, 0}, {1, kMissing}}}};
  const auto tree = build_history_tree(3, records);
  const auto values = test_values(tree, model, {0}, 0);
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].done->visits, 3);
  EXPECT_EQ(values[0].not_done->visits, 2);
  const auto bits = [&](const Dynamics& d, const std::vector<Step>& history) {
    std::vector<double> belief = d.initial;
    std::vector<double> next(2);
    for (const Step& step : history) {
      update_belief(model.structure, d, step.action, step.observation, belief, next);
      belief = next;
    }
    return expected_information(model.structure, d, belief, 0);
  };
  const Dynamics& own = model.agent.dynamics;
  EXPECT_NEAR(values[0].done->information, (2.0 * bits(own, {}) + bits(own, {{0, 1}})) / 3.0, 1e-14);
  EXPECT_NEAR(*values[0].not_done->information_world,
              (bits(*model.world, {{0, 1}}) + bits(*model.world, {{0, 1}, {0, 0}})) / 2.0, 1e-14);
}

}  // namespace
}  // namespace interpole::explain
