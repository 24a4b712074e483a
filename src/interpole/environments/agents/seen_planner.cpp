#include "interpole/environments/agents/seen_planner.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/environments/agents/history_weights.hpp"

namespace interpole::environments {
namespace {

constexpr double kDiscount = 0.9;
constexpr int kSweeps = 400;

// P(z' | z, a): after outcome z of any action, each equally often, in states as likely as at the start.
std::vector<double> outcome_moves(const Structure& structure, const Dynamics& world) {
  const std::size_t S = structure.states.size(), Z = structure.observations.size();
  const std::size_t A = structure.actions.size();
  std::vector<double> moves((Z + 1) * A * Z, 0.0);
  for (std::size_t z = 0; z <= Z; ++z) {
    std::vector<double> state(world.initial);
    for (std::size_t s = 0; s < S && z < Z; ++s) {
      double shown = 0.0;
      for (std::size_t a = 0; a < A; ++a) shown += world.observation[(a * S + s) * Z + z];
      state[s] *= shown;
    }
    double total = 0.0;
    for (const double p : state) total += p;
    for (std::size_t a = 0; a < A; ++a) {
      for (std::size_t s = 0; s < S; ++s) {
        for (std::size_t to = 0; to < S; ++to) {
          const double p = state[s] / total * world.transition[(a * S + s) * S + to];
          for (std::size_t next = 0; next < Z; ++next) {
            moves[(z * A + a) * Z + next] += p * world.observation[(a * S + to) * Z + next];
          }
        }
      }
    }
  }
  return moves;
}

}  // namespace

SeenPlanner::SeenPlanner(const Structure& structure, const Dynamics& world, double scale,
                         base::RandomStream& random)
    : actions_(structure.action_count()) {
  const std::size_t Z = structure.observations.size(), A = structure.actions.size();
  std::vector<double> rewards((Z + 1) * A);
  for (double& r : rewards) r = scale * random.normal();
  const std::vector<double> moves = outcome_moves(structure, world);
  std::vector<double> values(Z + 1, 0.0);
  policy_.resize(rewards.size());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t z = 0; z <= Z; ++z) {
      for (std::size_t a = 0; a < A; ++a) {
        double& q = policy_[z * A + a] = rewards[z * A + a];
        for (std::size_t next = 0; next < Z; ++next)
          q += kDiscount * moves[(z * A + a) * Z + next] * values[next];
      }
    }
    for (std::size_t z = 0; z <= Z; ++z) {
      const double* q = &policy_[z * A];
      const double highest = *std::max_element(q, q + A);
      double sum = 0.0;
      for (std::size_t a = 0; a < A; ++a) sum += std::exp(q[a] - highest);
      values[z] = highest + std::log(sum);
    }
  }
  for (std::size_t z = 0; z <= Z; ++z) softmax_in_place({&policy_[z * A], A});
}

void SeenPlanner::chances(std::span<const Step> history, std::span<const double> /*covariates*/,
                          std::span<double> chances) const {
  const auto A = static_cast<std::size_t>(actions_);
  const std::size_t row = history.empty() ? policy_.size() / A - 1 : history.back().observation;
  std::copy_n(&policy_[row * A], A, chances.begin());
}

}  // namespace interpole::environments
