#include "interpole/learners/observed/context_policy.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learners {

ContextPolicy::ContextPolicy(const Structure& structure, std::vector<double> overall, bool additive)
    : actions_(structure.action_count()),
      outcomes_(structure.observation_count() + 1),
      contexts_(1 + actions_ * outcomes_),
      log_overall_(std::move(overall)),
      additive_(additive) {
  for (double& p : log_overall_) p = std::log(p);
}

int ContextPolicy::size() const {
  return (additive_ ? 1 + actions_ + outcomes_ : contexts_) * actions_;
}

ContextPolicy::Parts ContextPolicy::parts_of(int context) const {
  if (!additive_ || context == 0) return {context, -1};
  return {1 + (context - 1) / outcomes_, 1 + actions_ + (context - 1) % outcomes_};
}

std::vector<double> ContextPolicy::at(std::span<const double> coordinates) const {
  const auto A = static_cast<std::size_t>(actions_);
  std::vector<double> policy(static_cast<std::size_t>(contexts_) * A);
  for (int x = 0; x < contexts_; ++x) {
    const Parts parts = parts_of(x);
    double* row = &policy[x * A];
    for (std::size_t a = 0; a < A; ++a) {
      row[a] = log_overall_[a] + coordinates[parts.first * A + a];
      if (parts.second >= 0) row[a] += coordinates[parts.second * A + a];
    }
    const double highest = *std::max_element(row, row + A);
    double sum = 0.0;
    for (std::size_t a = 0; a < A; ++a) sum += row[a] = std::exp(row[a] - highest);
    for (std::size_t a = 0; a < A; ++a) row[a] /= sum;
  }
  return policy;
}

void ContextPolicy::pull_back(std::span<const double> policy, std::span<const double> by_policy,
                              std::span<double> gradient) const {
  const auto A = static_cast<std::size_t>(actions_);
  for (int x = 0; x < contexts_; ++x) {
    const Parts parts = parts_of(x);
    double mean = 0.0;
    for (std::size_t a = 0; a < A; ++a) mean += policy[x * A + a] * by_policy[x * A + a];
    for (std::size_t a = 0; a < A; ++a) {
      const double d = policy[x * A + a] * (by_policy[x * A + a] - mean);
      gradient[parts.first * A + a] += d;
      if (parts.second >= 0) gradient[parts.second * A + a] += d;
    }
  }
}

}  // namespace interpole::learners
