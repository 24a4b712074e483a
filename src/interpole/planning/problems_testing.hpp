// Problems to plan for, and values found by trying everything.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/planning/files/pomdp_file.hpp"
#include "interpole/planning/pomdp.hpp"

namespace interpole::testing {

// Cassandra, Kaelbling, Littman (1994): which of two doors hides a tiger?
inline planning::Pomdp tiger(double discount) {
  planning::Pomdp pomdp = planning::parse_pomdp(R"(
discount: 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: tiger-left tiger-right
T: listen identity
T: open-left uniform
T: open-right uniform
O: listen
0.85 0.15
0.15 0.85
O: open-left uniform
O: open-right uniform
R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : tiger-right : * : * -100
)",
                                                "tiger");
  pomdp.discount = discount;
  return pomdp;
}

// The paper's DIAG with the rewards its baselines start from: declaring ends the process.
inline planning::Pomdp diag_problem(double discount = 0.9) {
  auto structure = Structure::unrestricted(
      {"healthy", "diseased"}, {"monitor", "declare-healthy", "declare-diseased"}, {"negative", "positive"});
  structure.make_terminal(1);
  structure.make_terminal(2);
  Dynamics dynamics;
  dynamics.initial = {0.5, 0.5};
  dynamics.transition = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  dynamics.observation = {0.6, 0.4, 0.4, 0.6, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<double> rewards = {0.0, 0.0, 0.25, -0.375, -0.375, 0.25};
  return planning::pomdp_of(structure, dynamics, rewards, discount);
}

inline std::vector<std::string> numbered_names(const char* prefix, int count) {
  std::vector<std::string> names(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) names[static_cast<std::size_t>(i)] = prefix + std::to_string(i);
  return names;
}

// Rewards of an action add up to zero over the states, so that none is best everywhere.
inline planning::Pomdp random_pomdp(std::uint64_t seed, int states, int actions, int observations,
                                    double discount) {
  base::RandomStream random(seed, 0, base::RandomPurpose(77));
  planning::Pomdp pomdp;
  pomdp.states = numbered_names("s", states);
  pomdp.actions = numbered_names("a", actions);
  pomdp.observations = numbered_names("z", observations);
  pomdp.discount = discount;
  pomdp.terminal.assign(static_cast<std::size_t>(actions), 0);
  pomdp.start = random.dirichlet(states);
  for (int row = 0; row < actions * states; ++row) {
    for (const double p : random.dirichlet(states, 0.5)) pomdp.transition.push_back(p);
    for (const double p : random.dirichlet(observations, 0.5)) pomdp.observation.push_back(p);
    pomdp.reward.push_back(random.normal());
  }
  for (int a = 0; a < actions; ++a) {
    double* const row = pomdp.reward.data() + static_cast<std::ptrdiff_t>(a) * states;
    double mean = 0.0;
    for (int s = 0; s < states; ++s) mean += row[s] / states;
    for (int s = 0; s < states; ++s) row[s] -= states == 1 ? 0.0 : mean;
  }
  return pomdp;
}

inline std::shared_ptr<const planning::Pomdp> shared(planning::Pomdp pomdp) {
  return std::make_shared<const planning::Pomdp>(std::move(pomdp));
}

// The corners, the centre and random beliefs.
inline std::vector<std::vector<double>> some_beliefs(int states, int random_ones, std::uint64_t seed = 1) {
  std::vector<std::vector<double>> beliefs;
  for (int s = 0; s < states; ++s) {
    beliefs.emplace_back(states, 0.0);
    beliefs.back()[static_cast<std::size_t>(s)] = 1.0;
  }
  beliefs.emplace_back(states, 1.0 / states);
  base::RandomStream random(seed, 0, base::RandomPurpose(78));
  for (int i = 0; i < random_ones; ++i) beliefs.push_back(random.dirichlet(states, 0.7));
  return beliefs;
}

// The optimal value by trying every action at every belief that can come up: normalised beliefs, no vectors.
inline double expectimax(const planning::Pomdp& pomdp, const std::vector<double>& belief, int horizon) {
  if (horizon == 0) return 0.0;
  const std::size_t S = pomdp.states.size();
  double best = -INFINITY;
  for (int a = 0; a < pomdp.action_count(); ++a) {
    double value = 0.0;
    for (std::size_t s = 0; s < S; ++s) value += belief[s] * pomdp.gain(a, static_cast<int>(s));
    for (int z = 0; z < pomdp.observation_count() && !pomdp.is_terminal(a); ++z) {
      std::vector<double> next(S, 0.0);
      double probability = 0.0;
      for (std::size_t to = 0; to < S; ++to) {
        for (std::size_t from = 0; from < S; ++from) {
          next[to] += belief[from] * pomdp.transition[(a * S + from) * S + to];
        }
        next[to] *= pomdp.observation[(a * S + to) * pomdp.observations.size() + z];
        probability += next[to];
      }
      if (probability == 0.0) continue;
      for (double& b : next) b /= probability;
      value += pomdp.discount * probability * expectimax(pomdp, next, horizon - 1);
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace interpole::testing
