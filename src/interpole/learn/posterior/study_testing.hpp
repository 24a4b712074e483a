// For tests: studies and data sets small enough to reason about.
#pragma once

#include <string>

#include "interpole/history_tree.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/study.hpp"

namespace interpole::testing {

// Everything is to be learned. The last of several actions is terminal.
inline Study open_study(int states, int actions, int observations) {
  Study study;
  study.structure = some_structure(states, actions, observations);
  study.known = Parameters::filled(study.structure, NAN);
  study.start = study.known;
  study.priors = Priors::defaults(study.structure);
  return study;
}

inline const char* kBiasStudy = R"(
format = "interpole-study"
version = 1
states = ["healthy", "diseased"]
observations = ["negative", "positive"]
[[actions]]
name = "monitor"
[[actions]]
name = "declare-healthy"
terminal = true
[[actions]]
name = "declare-diseased"
terminal = true
[known]
initial_belief = [0.5, 0.5]
inverse_temperature = 10
transition."*" = "identity"
means.monitor = [0.5, 0.5]
[start]
means.declare-healthy = [1, 0]
means.declare-diseased = [0, 1]
[labels]
action = "monitor"
observation = "positive"
order = ["healthy", "diseased"]
)";

inline Study bias_study() {
  return parse_study(kBiasStudy, "bias.toml");
}

// The decision-maker of BIAS, acting in a world like their own picture of it.
inline Parameters bias_parameters() {
  return {{{0.5, 0.5}, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, {0.6, 0.4, 0.2, 0.8, 0, 0, 0, 0, 0, 0, 0, 0}},
          {10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}}};
}

inline HistoryTree bias_tree(int patients, std::uint64_t seed) {
  const auto study = bias_study();
  return build_history_tree(3, random_records(study.structure, bias_parameters(), patients, 200, seed, 0.0));
}

// Records of an agent who thinks the test misses 20% in a world where it misses `missed`.
inline HistoryTree biased_tree(int patients, double missed, std::uint64_t seed) {
  Dynamics world = bias_parameters().dynamics;
  world.observation[2] = missed;
  world.observation[3] = 1.0 - missed;
  return build_history_tree(
      3, random_records(bias_study().structure, bias_parameters(), patients, 200, seed, 0.0, &world));
}

}  // namespace interpole::testing
