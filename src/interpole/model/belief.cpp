#include "interpole/belief.hpp"

#include <algorithm>
#include <cmath>

namespace interpole {
namespace {

// η (‖b‖² − ‖b − μ_a‖²) for every action, and the highest of them: ‖b‖² is the same for all and cancels in π.
double scores(const Structure& structure, const Policy& policy, std::span<const double> belief,
              std::span<double> out) {
  const std::size_t states = structure.states.size();
  double highest = -INFINITY;
  for (std::size_t a = 0; a < structure.actions.size(); ++a) {
    double score = 0.0;
    for (std::size_t s = 0; s < states; ++s) {
      const double mean = policy.means[a * states + s];
      score += mean * (2.0 * belief[s] - mean);
    }
    out[a] = policy.inverse_temperature * score;
    highest = std::max(highest, out[a]);
  }
  return highest;
}

}  // namespace

double update_belief(const Structure& structure, const Dynamics& dynamics, int action, int observation,
                     std::span<const double> belief, std::span<double> next) {
  const std::size_t states = structure.states.size();
  const std::size_t observations = structure.observations.size();
  double total = 0.0;
  for (std::size_t to = 0; to < states; ++to) {
    double arrived = 0.0;
    for (std::size_t from = 0; from < states; ++from) {
      arrived += belief[from] * dynamics.transition[(action * states + from) * states + to];
    }
    if (observation != kMissing) {
      arrived *= dynamics.observation[(action * states + to) * observations + observation];
    }
    next[to] = arrived;
    total += arrived;
  }
  if (total > 0.0) {
    for (double& b : next) b /= total;
  }
  return total;
}

void log_action_probabilities(const Structure& structure, const Policy& policy,
                              std::span<const double> belief, std::span<double> logs) {
  const double highest = scores(structure, policy, belief, logs);
  double total = 0.0;
  for (const double x : logs) total += std::exp(x - highest);
  const double normaliser = highest + std::log(total);
  for (double& x : logs) x -= normaliser;
}

void action_probabilities(const Structure& structure, const Policy& policy, std::span<const double> belief,
                          std::span<double> probabilities) {
  const double highest = scores(structure, policy, belief, probabilities);
  double total = 0.0;
  for (double& p : probabilities) total += p = std::exp(p - highest);
  for (double& p : probabilities) p /= total;
}

std::vector<double> action_probabilities(const Structure& structure, const Policy& policy,
                                         std::span<const double> belief) {
  std::vector<double> probabilities(structure.actions.size());
  action_probabilities(structure, policy, belief, probabilities);
  return probabilities;
}

}  // namespace interpole
