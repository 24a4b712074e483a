// DIAG and BIAS (paper, C.1). The appendix prints BIAS's error as O(s−|a=,z+) = 0.2; it means O(z−|a=,s+) =
// 0.2.
#include <fmt/format.h>

#include "interpole/environment.hpp"
#include "interpole/error.hpp"

namespace interpole {
namespace {

constexpr int kLongestRecord = 1000;  // a guard only: DIAG has 21 steps on average, BIAS 8

// missed: how often the test is negative for a diseased patient.
Dynamics diagnosis_dynamics(const Structure& structure, double missed) {
  Dynamics dynamics = Dynamics::filled(structure, 0.0);
  dynamics.initial = {0.5, 0.5};
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    dynamics.transition[4 * a] = dynamics.transition[4 * a + 3] = 1.0;  // nobody heals or falls ill meanwhile
  }
  const double monitor[] = {0.6, 0.4, missed, 1.0 - missed};  // healthy, diseased × negative, positive
  for (int i = 0; i < 4; ++i) dynamics.observation[i] = monitor[i];
  return dynamics;
}

Environment diagnosis(const char* name, double believed_missed) {
  Environment environment;
  environment.name = name;
  environment.longest_record = kLongestRecord;
  Model& truth = environment.truth;
  truth.structure = Structure::unrestricted(
      {"healthy", "diseased"}, {"monitor", "declare-healthy", "declare-diseased"}, {"negative", "positive"});
  truth.structure.make_terminal(1);
  truth.structure.make_terminal(2);
  truth.agent.dynamics = diagnosis_dynamics(truth.structure, believed_missed);
  truth.agent.policy = {10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}};
  truth.world = diagnosis_dynamics(truth.structure, 0.4);
  return environment;
}

}  // namespace

Environment diag() {
  return diagnosis("diag", 0.4);
}

Environment bias() {
  return diagnosis("bias", 0.2);
}

void declare_at(Environment& environment, double boundary) {
  if (!(boundary > 0.5 && boundary < 1.0)) {
    throw usage_error(fmt::format("option boundary: {} is not a belief between 0.5 and 1", boundary));
  }
  // Half-way between the mean of a declaration and that of monitoring, which is (0.5, 0.5).
  const double mean = 2.0 * boundary - 0.5;
  environment.truth.agent.policy.means = {0.5, 0.5, mean, 1.0 - mean, 1.0 - mean, mean};
}

}  // namespace interpole
