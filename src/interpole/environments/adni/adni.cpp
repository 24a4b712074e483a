// The paper reports the shape of its ADNI study and draws one learned decision-maker (Figure 4). Ours:
//
// Agent. Starting belief (NL 0, MCI 0.72, Dementia 0.28), read off Figure 4, with 0.001 for the exact zero.
// Such a doctor comes to believe in normal functioning only by thinking recovery likely: T(NL|MCI) = 0.16.
// One normal CDR-SB then moves the belief to (0.71, 0.28, 0.01), where Figure 4 has its typical normal
// patient: on the boundary.
//
// Policy. η = 1, as in the paper. With x = b(MCI), y = b(Dementia) we want the log-odds of ordering an MRI to
// be k (x/0.30 + y/0.32 − 1): zero on the line through MCI = 0.30 on the side NL–MCI and Dementia = 0.32 on
// the side NL–Dementia. For means μ± = m ± d/2 they are 2 d·(b − m), hence d(MCI) − d(NL) = k/0.60,
// d(Dementia) − d(NL) = k/0.64, Σ d = 0, and m is any point of the line: we take the middle of its segment. k
// = 1.2 orders an MRI with probability 0.94 at the start, 0.23 at NL, 0.94 at MCI and 0.93 at Dementia: 80%
// of all visits.
//
// World. Of the patients who arrive, 32% are normal (68.4% had signs of MCI or dementia in the paper), and
// they change slowly. It differs from the agent in three things: where patients start, how much they change
// in six months (the agent expects more recovery and more decline), and the MRI, which tells less than the
// agent thinks. Both agree on CDR-SB. An MRI changes nobody: T is the same for both actions. Given the state,
// the two factors are independent.
#include "interpole/environments/adni/adni.hpp"

#include <algorithm>

namespace interpole {
namespace {

using Rows = std::array<std::array<double, 3>, environments::kAdniStates>;

constexpr Rows kCdr = {{{0.92, 0.075, 0.005}, {0.08, 0.80, 0.12}, {0.005, 0.095, 0.90}}};

constexpr Rows kWorldTransition = {{{0.975, 0.024, 0.001}, {0.015, 0.935, 0.05}, {0.001, 0.009, 0.99}}};
constexpr Rows kAgentTransition = {{{0.93, 0.06, 0.01}, {0.16, 0.74, 0.10}, {0.01, 0.04, 0.95}}};

// The world's are what kVolumeMean and kVolumeSpread give, to two digits.
constexpr Rows kWorldVolume = {{{0.06, 0.36, 0.58}, {0.26, 0.40, 0.34}, {0.60, 0.33, 0.07}}};
constexpr Rows kAgentVolume = {{{0.04, 0.30, 0.66}, {0.24, 0.44, 0.32}, {0.72, 0.25, 0.03}}};

constexpr double kCrossingMci = 0.30;
constexpr double kCrossingDementia = 0.32;
constexpr double kSharpness = 1.2;

Structure adni_structure() {
  const std::array cdr = {"normal", "questionable", "impaired"};
  const std::array volume = {"below", "within", "above", "not ordered"};
  std::vector<std::string> outcomes;
  for (const char* first : cdr) {
    for (const char* second : volume) outcomes.push_back(std::string(first) + " | " + second);
  }
  Structure structure = Structure::unrestricted({"NL", "MCI", "Dementia"}, {"no-mri", "mri"}, outcomes);
  const int count = structure.observation_count();
  for (int z = 0; z < count; ++z) {
    structure.allowed[environments::kNoMri * count + z] =
        environments::hippocampus_of(z) == environments::kNotOrdered;
    structure.allowed[environments::kMri * count + z] =
        environments::hippocampus_of(z) != environments::kNotOrdered;
  }
  return structure;
}

Dynamics adni_dynamics(const Structure& structure, std::vector<double> initial, const Rows& transition,
                       const Rows& volume) {
  Dynamics dynamics = Dynamics::filled(structure, 0.0);
  dynamics.initial = std::move(initial);
  const std::size_t outcomes = structure.observations.size();
  for (std::size_t s = 0; s < environments::kAdniStates; ++s) {
    for (const std::size_t a : {environments::kNoMri, environments::kMri}) {
      std::copy_n(transition[s].begin(), environments::kAdniStates,
                  &dynamics.transition[(a * environments::kAdniStates + s) * environments::kAdniStates]);
    }
    double* const without =
        &dynamics.observation[(std::size_t{environments::kNoMri} * environments::kAdniStates + s) * outcomes];
    double* const with =
        &dynamics.observation[(std::size_t{environments::kMri} * environments::kAdniStates + s) * outcomes];
    for (int c = 0; c < environments::kCdrLevels; ++c) {
      without[environments::adni_outcome(c, environments::kNotOrdered)] = kCdr[s][c];
      for (int v = 0; v < environments::kNotOrdered; ++v)
        with[environments::adni_outcome(c, v)] = kCdr[s][c] * volume[s][v];
    }
  }
  return dynamics;
}

Policy adni_policy(const Structure& structure) {
  Policy policy = Policy::filled(structure, 0.0);
  policy.inverse_temperature = 1.0;
  const std::array<double, environments::kAdniStates> middle = {
      1.0 - (kCrossingMci + kCrossingDementia) / 2.0, kCrossingMci / 2.0, kCrossingDementia / 2.0};
  std::array<double, environments::kAdniStates> apart = {0.0, kSharpness / (2.0 * kCrossingMci),
                                                         kSharpness / (2.0 * kCrossingDementia)};
  const double excess = (apart[1] + apart[2]) / environments::kAdniStates;
  for (int s = 0; s < environments::kAdniStates; ++s) {
    apart[s] -= excess;
    policy.means[environments::kNoMri * environments::kAdniStates + s] = middle[s] - apart[s] / 2.0;
    policy.means[environments::kMri * environments::kAdniStates + s] = middle[s] + apart[s] / 2.0;
  }
  return policy;
}

}  // namespace

Environment adni() {
  Environment environment;
  environment.name = "adni";
  environment.longest_record = environments::kAdniVisits;
  environment.typical_patients = 1737;
  Model& truth = environment.truth;
  truth.structure = adni_structure();
  truth.agent.dynamics = adni_dynamics(truth.structure, {0.001, 0.719, 0.28}, kAgentTransition, kAgentVolume);
  truth.agent.policy = adni_policy(truth.structure);
  truth.world = adni_dynamics(truth.structure, {0.32, 0.50, 0.18}, kWorldTransition, kWorldVolume);
  return environment;
}

}  // namespace interpole
