#include "interpole/inference/kernels.hpp"

#include <algorithm>

namespace interpole::inference {

std::size_t matrix_index(const Structure& structure, int action, int observation) {
  const int outcomes = structure.observation_count();
  const std::size_t slot = static_cast<std::size_t>(action) * (outcomes + 1) +
                           (observation == kMissing || structure.measured() ? outcomes : observation);
  return slot * structure.states.size() * structure.states.size();
}

void update_matrices(const Structure& structure, const Dynamics& dynamics, std::vector<double>& matrices) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  matrices.resize(static_cast<std::size_t>(structure.action_count()) * (Z + 1) * S * S);
  double* m = matrices.data();
  for (int a = 0; a < structure.action_count(); ++a) {
    const double* T = &dynamics.transition[static_cast<std::size_t>(a) * S * S];
    const double* O = &dynamics.observation[static_cast<std::size_t>(a) * S * Z];
    for (std::size_t z = 0; z <= Z; ++z) {
      for (std::size_t to = 0; to < S; ++to) {
        const double o = z == Z ? 1.0 : O[to * Z + z];
        for (std::size_t from = 0; from < S; ++from) *m++ = o * T[from * S + to];
      }
    }
  }
}

void pull_back_matrices(const Structure& structure, const Dynamics& dynamics,
                        const std::vector<double>& d_matrices, Dynamics& gradient) {
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  const double* d = d_matrices.data();
  for (int a = 0; a < structure.action_count(); ++a) {
    const std::size_t t_base = static_cast<std::size_t>(a) * S * S;
    const std::size_t o_base = static_cast<std::size_t>(a) * S * Z;
    for (std::size_t z = 0; z <= Z; ++z) {
      for (std::size_t to = 0; to < S; ++to) {
        const double o = z == Z ? 1.0 : dynamics.observation[o_base + to * Z + z];
        double d_o = 0.0;
        for (std::size_t from = 0; from < S; ++from, ++d) {
          gradient.transition[t_base + from * S + to] += *d * o;
          d_o += *d * dynamics.transition[t_base + from * S + to];
        }
        if (z < Z) gradient.observation[o_base + to * Z + z] += d_o;
      }
    }
  }
}

void PolicySums::reset(const Structure& structure) {
  residual.assign(structure.actions.size(), 0.0);
  residual_belief.assign(structure.actions.size() * structure.states.size(), 0.0);
}

void pull_back_kind(const Structure& structure, const Policy& policy, int kind, const PolicySums& sums,
                    Policy& gradient) {
  const std::size_t S = structure.states.size();
  const double eta =
      kind == 0 ? policy.inverse_temperature : policy.other_kinds[kind - 1].inverse_temperature;
  const auto& means = kind == 0 ? policy.means : policy.other_kinds[kind - 1].means;
  auto& d_means = kind == 0 ? gradient.means : gradient.other_kinds[kind - 1].means;
  double& d_eta =
      kind == 0 ? gradient.inverse_temperature : gradient.other_kinds[kind - 1].inverse_temperature;
  // log π(a|b) = η·score_a − log Σ exp(η·score), score_a = Σ_s μ_a(s)(2b(s) − μ_a(s)).
  for (int a = 0; a < structure.action_count(); ++a) {
    for (std::size_t s = 0; s < S; ++s) {
      const double mean = means[a * S + s];
      const double moved = sums.residual_belief[a * S + s];
      d_means[a * S + s] += 2.0 * eta * (moved - sums.residual[a] * mean);
      d_eta += mean * (2.0 * moved - sums.residual[a] * mean);
    }
  }
}

void pull_back_shares(const std::vector<double>& taken_by, const std::vector<double>& shares,
                      Policy& gradient) {
  for (std::size_t k = 1; k < shares.size(); ++k) {
    gradient.other_kinds[k - 1].share += taken_by[k] / shares[k] - taken_by[0] / shares[0];
  }
}

}  // namespace interpole::inference
