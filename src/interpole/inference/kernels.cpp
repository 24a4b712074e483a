#include "interpole/inference/kernels.hpp"

namespace interpole::inference {

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
