// Data and models shared by the tests of this room.
#pragma once

#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/simulate.hpp"

namespace interpole::environments {

inline std::vector<Record> simulated_records(const Environment& environment, int patients,
                                             std::uint64_t seed) {
  std::vector<Record> records;
  simulate(environment, {.patients = patients, .seed = seed, .threads = 1},
           [&](const Record& record) { records.push_back(record); });
  return records;
}

inline HistoryTree simulated_tree(const Environment& environment, int patients, std::uint64_t seed) {
  return build_history_tree(environment.truth.structure.action_count(),
                            simulated_records(environment, patients, seed));
}

// Random probabilities wherever the structure allows some, random means. No world.
inline Model random_model(const Structure& structure, std::uint64_t seed) {
  base::RandomStream random(seed);
  const int states = structure.state_count();
  const int observations = structure.observation_count();
  Model model{structure, Parameters::filled(structure, 0.0), {}};
  Dynamics& dynamics = model.agent.dynamics;
  dynamics.initial = random.dirichlet(states);
  for (int row = 0; row < structure.action_count() * states; ++row) {
    const std::vector<double> next = random.dirichlet(states);
    std::copy(next.begin(), next.end(),
              dynamics.transition.begin() + static_cast<std::ptrdiff_t>(row) * states);
    double total = 0.0;
    for (int z = 0; z < observations; ++z) {
      double& entry = dynamics.observation[row * observations + z];
      total += entry = structure.can_yield(row / states, z) ? random.gamma(1.0) : 0.0;
    }
    for (int z = 0; z < observations && total > 0.0; ++z)
      dynamics.observation[row * observations + z] /= total;
    double sum = 0.0;
    for (int s = 1; s < states && row % states == 0; ++s) {
      sum += model.agent.policy.means[row + s] = random.normal();
    }
    if (row % states == 0) model.agent.policy.means[row] = 1.0 - sum;
  }
  model.agent.policy.inverse_temperature = 0.5 + random.uniform();
  return model;
}

}  // namespace interpole::environments
