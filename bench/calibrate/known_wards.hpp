// Wards of which every number of agent and world is known: that of wards.hpp, and wards drawn at random, in
// which no boundary lies where a belief does; each as it is, or with one thing changed.
#pragma once

#include <cstdint>

#include "interpole/base/random.hpp"
#include "wards.hpp"

namespace interpole {

struct KnownWard {
  const char* name;
  bool random;
  void (*change)(Environment&);
  bool hides_signs = false;  // the table does not hold them: without_sign()

  inline Environment environment(std::uint64_t seed) const;
};

inline void change_nothing(Environment&) {}

template <int kPercent>
void repeat_the_last_action(Environment& environment) {
  environment.truth.agent.policy.terms.inertia = 0.01 * kPercent;
}

// In the head, tests miss more of the ill than they do.
inline void distrust_the_test(Environment& environment) {
  double* missed = &environment.truth.agent.dynamics.observation[6];
  missed[0] += 0.2;
  missed[1] -= 0.2;
}

inline void drift_by_step(Environment& environment) {
  PolicyTerm& term = add_term(environment, TermKind::kTime, 10);
  for (int step = 0; step < 10; ++step) {
    const double x = (step - 4.5) / 4.5;
    term.weights[step * 3 + kWait] = -1.5 * x;
    term.weights[step * 3 + kTreat] = 1.5 * x;
  }
}

// With every result a sign of the patient's state is seen, right in three of four cases.
inline void see_a_sign(Environment& environment) {
  constexpr double kRight = 0.75;
  const Structure structure = signed_ward().truth.structure;
  Model& truth = environment.truth;
  const Dynamics plain = *truth.world;
  truth.structure = structure;
  truth.world->observation = Dynamics::filled(structure, 0.0).observation;
  for (int row = 0; row < 4; ++row) {
    for (int z = 0; z < 4; ++z) {
      truth.world->observation[row * 4 + z] =
          plain.observation[row * 2 + z / 2] * (z % 2 == row % 2 ? kRight : 1.0 - kRight);
    }
  }
  truth.agent.dynamics = *truth.world;
}

inline Environment random_ward(std::uint64_t seed) {
  base::RandomStream random(seed, 0, base::RandomPurpose::kBootstrap);
  const auto between = [&](double low, double high) { return low + (high - low) * random.uniform(); };
  Environment environment = plain_ward();
  Parameters& agent = environment.truth.agent;
  const auto row = [&](std::vector<double>& numbers, int begin, double first) {
    numbers[begin] = first;
    numbers[begin + 1] = 1.0 - first;
  };
  row(agent.dynamics.initial, 0, between(0.6, 0.95));
  for (const int action : {kWait, kTest}) {
    row(agent.dynamics.transition, 4 * action, between(0.85, 0.97));
    row(agent.dynamics.transition, 4 * action + 2, between(0.02, 0.1));
  }
  row(agent.dynamics.observation, 0, between(0.7, 0.9));
  row(agent.dynamics.observation, 2, between(0.4, 0.6));
  row(agent.dynamics.observation, 4, between(0.8, 0.95));
  row(agent.dynamics.observation, 6, between(0.05, 0.3));
  environment.truth.world = agent.dynamics;
  agent.policy.inverse_temperature = between(4.0, 9.0);
  const auto mean = [&](int action, double ill) { row(agent.policy.means, 2 * action, 1.0 - ill); };
  mean(kWait, between(-0.2, 0.2));
  mean(kTest, between(0.25, 0.55));
  mean(kTreat, between(0.85, 1.2));
  return environment;
}

inline Environment KnownWard::environment(std::uint64_t seed) const {
  Environment result = random ? random_ward(seed) : plain_ward();
  change(result);
  return result;
}

inline constexpr KnownWard kKnownWards[] = {{"nothing else", false, change_nothing},
                                            {"inertia 3%", false, repeat_the_last_action<3>},
                                            {"inertia 20%", false, repeat_the_last_action<20>},
                                            {"drift by step", false, drift_by_step},
                                            {"true bias", false, distrust_the_test},
                                            {"unrecorded sign", false, see_a_sign, true},
                                            {"random", true, change_nothing},
                                            {"random, inertia 3%", true, repeat_the_last_action<3>},
                                            {"random, inertia 20%", true, repeat_the_last_action<20>},
                                            {"random, drift by step", true, drift_by_step},
                                            {"random, true bias", true, distrust_the_test},
                                            {"random, unrecorded sign", true, see_a_sign, true}};

}  // namespace interpole
