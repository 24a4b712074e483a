// For tests: decision-makers who plan for rewards, and what they leave behind.
#pragma once

#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"
#include "interpole/learners/inverse_rl/reward_agent.hpp"
#include "interpole/records.hpp"

namespace interpole::testing {

// Rewards that make DIAG's decision-maker monitor for a while, and the agent who plans for them.
inline const std::vector<double> kDiagRewards = {-0.03, -0.03, 0.6, -1.0, -1.0, 0.6};

inline learners::RewardAgent diag_agent() {
  return {diag().truth.structure, 10.0, 0.9, 25, {}};
}

// Records of an agent who plans in the world as it is.
inline std::vector<Record> records_of_planner(const learners::RewardAgent& agent, const Dynamics& world,
                                              const std::vector<double>& rewards, int count, int longest,
                                              std::uint64_t seed) {
  const std::size_t S = agent.structure.states.size();
  const std::size_t Z = agent.structure.observations.size();
  const planning::ValueFunction plan = agent.plan(world, rewards);
  std::vector<Record> records(count);
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i, base::RandomPurpose(91));
    std::vector<double> belief = world.initial;
    std::vector<double> next(S);
    int state = random.categorical(world.initial);
    for (int t = 0; t < longest; ++t) {
      const int a = random.categorical(learners::softmax_policies(
          planning::BeliefTable::of(belief, static_cast<int>(S)), agent.inverse_temperature, plan));
      if (agent.structure.is_terminal(a)) {
        records[i].steps.push_back({a, kMissing});
        break;
      }
      state = random.categorical({&world.transition[(a * S + state) * S], S});
      const int z = random.categorical({&world.observation[(a * S + state) * Z], Z});
      records[i].steps.push_back({a, z});
      update_belief(agent.structure, world, a, z, belief, next);
      belief = next;
    }
  }
  return records;
}

}  // namespace interpole::testing
