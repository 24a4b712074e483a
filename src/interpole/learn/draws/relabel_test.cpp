#include "interpole/learn/draws/relabel.hpp"

#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using testing::open_study;

class Relabel : public ::testing::Test {
 protected:
  Study study_ = open_study(3, 2, 3);
  Parameters reference_ = make_reference();
  HistoryTree tree_ =
      build_history_tree(2, testing::random_records(study_.structure, reference_, 60, 6, 3, 0.1));

  Parameters make_reference() const {
    base::RandomStream random(11);
    return testing::random_parameters(study_.structure, random);
  }

  // Draws near the reference, so that they are nobody else's.
  SampledChain chain(std::uint64_t seed, bool with_world) const {
    SampledChain result;
    for (int i = 0; i < 20; ++i) {
      base::RandomStream random(seed, i);
      const Parameters other = testing::random_parameters(study_.structure, random);
      SampledDraw draw;
      draw.agent_world.agent = reference_;
      mix(other.dynamics.initial, draw.agent_world.agent.dynamics.initial);
      mix(other.dynamics.transition, draw.agent_world.agent.dynamics.transition);
      mix(other.dynamics.observation, draw.agent_world.agent.dynamics.observation);
      if (with_world) draw.agent_world.world = other.dynamics;
      result.draws.push_back(draw);
    }
    return result;
  }

  static void mix(const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = 0.95 * to[i] + 0.05 * from[i];
  }
};

TEST_F(Relabel, BringsSwitchedChainsAndDrawsBack) {
  for (const bool with_world : {false, true}) {
    const std::vector<SampledChain> original = {chain(1, with_world), chain(2, with_world)};
    auto chains = original;
    for (auto& draw : chains[1].draws) {
      draw.agent_world = permute_states(study_.structure, draw.agent_world, {2, 0, 1});
    }
    for (const int i : {3, 4, 17}) {
      auto& draw = chains[0].draws[i].agent_world;
      draw = permute_states(study_.structure, draw, {1, 0, 2});
    }
    align_draws(tree_, study_, reference_, chains);
    EXPECT_FALSE(chains[0].relabelled);
    EXPECT_EQ(chains[0].relabelled_draws, 3);
    EXPECT_TRUE(chains[1].relabelled);
    EXPECT_EQ(chains[1].relabelled_draws, 0);
    for (int c = 0; c < 2; ++c) {
      for (std::size_t i = 0; i < original[c].draws.size(); ++i) {
        EXPECT_EQ(chains[c].draws[i].agent_world, original[c].draws[i].agent_world) << c << " " << i;
      }
    }
  }
}

TEST_F(Relabel, KeepsToNamesThatTheStudyTellsApart) {
  study_.known.policy.means[0] = 0.9;  // of the first state only
  auto chains = std::vector<SampledChain>{chain(1, false)};
  for (auto& draw : chains[0].draws) {
    draw.agent_world = permute_states(study_.structure, draw.agent_world, {1, 0, 2});
  }
  const auto before = chains[0].draws[5].agent_world;
  align_draws(tree_, study_, reference_, chains);
  EXPECT_FALSE(chains[0].relabelled);
  EXPECT_EQ(chains[0].draws[5].agent_world, before);
}

TEST_F(Relabel, KeepsToNamesThatTheKnownWorldTellsApart) {
  study_.world = study_.known.dynamics;
  study_.world->initial = {0.2, 0.3, 0.5};
  auto chains = std::vector<SampledChain>{chain(1, true)};
  for (auto& draw : chains[0].draws) {
    draw.agent_world = permute_states(study_.structure, draw.agent_world, {1, 0, 2});
  }
  align_draws(tree_, study_, reference_, chains);
  EXPECT_FALSE(chains[0].relabelled);
  EXPECT_EQ(chains[0].relabelled_draws, 0);
}

}  // namespace
}  // namespace interpole::learn
