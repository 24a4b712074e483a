#include "interpole/learners/observed/occupancy_matching.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learners {

OccupancyMatching::OccupancyMatching(const ObservedProcess& process, std::span<const double> expert,
                                     const ContextPolicy& policy, double records, double entropy)
    : process_(process), expert_(expert), policy_(policy), records_(records), entropy_(entropy) {}

double OccupancyMatching::evaluate(std::span<const double> x, std::span<double> gradient) {
  const auto A = static_cast<std::size_t>(process_.actions);
  const std::vector<double> policy = policy_.at(x);
  const Occupancy occupancy(process_, policy);
  double value = 0.0;
  std::vector<double> by_occupancy(policy.size(), 0.0);
  for (std::size_t at = 0; at < policy.size(); ++at) {
    const double rho = occupancy.visits()[at / A] * policy[at];
    const double both = expert_[at] + rho;
    if (expert_[at] > 0.0) value -= expert_[at] * std::log(2.0 * expert_[at] / both);
    if (rho <= 0.0) continue;
    value -= rho * std::log(2.0 * rho / both);
    by_occupancy[at] = -std::log(2.0 * rho / both);
    // −visits Σ π log π = −Σ ρ log π, and π = ρ/visits: the derivative by ρ alone is −log π.
    value -= entropy_ * rho * std::log(policy[at]);
    by_occupancy[at] -= entropy_ * std::log(policy[at]);
  }
  std::vector<double> by_policy = occupancy.pull_back(by_occupancy);
  // The entropy also sees the policy itself; on the simplex this part, −visits, moves nothing.
  for (double& d : by_policy) d *= records_;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  policy_.pull_back(policy, by_policy, gradient);
  return records_ * value;
}

}  // namespace interpole::learners
