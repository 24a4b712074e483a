#include "interpole/learners/observed/visit_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace interpole::learners {
namespace {

// n log p and its derivative by p, added to `slope`; what never happened says nothing.
double matched(double n, double p, double& slope) {
  if (n == 0.0) return 0.0;
  slope += n / p;
  return n * std::log(p);
}

}  // namespace

VisitMatching::VisitMatching(const ObservedProcess& process, const ObservedRecords& records,
                             const ContextPolicy& policy, double prior_sd)
    : process_(process),
      records_(records),
      policy_(policy),
      precision_(1.0 / (prior_sd * prior_sd)),
      predicted_(records.steps.size()) {
  Where now{{}, std::vector<double>(static_cast<std::size_t>(process.contexts) * process.actions, 0.0), 0.0};
  for (const ObservedRecords::Visits& step : records.steps) {
    now.arrivals = step.arrivals;
    recorded_.push_back(now);
    now.left += step.leaving * std::accumulate(step.arrivals.begin(), step.arrivals.end(), 0.0);
    for (std::size_t at = 0; at < step.stops_at.size(); ++at) now.stopped[at] += step.stops_at[at];
  }
}

void VisitMatching::forward(std::span<const double> policy) {
  const auto A = static_cast<std::size_t>(process_.actions);
  Where now{std::vector<double>(process_.contexts, 0.0), std::vector<double>(policy.size(), 0.0), 0.0};
  now.arrivals[0] = 1.0;
  for (std::size_t t = 0; t < predicted_.size(); ++t) {
    predicted_[t] = now;
    const std::vector<double>& here = predicted_[t].arrivals;
    const double leaving = records_.steps[t].leaving;
    std::fill(now.arrivals.begin(), now.arrivals.end(), 0.0);
    for (int x = 0; x < process_.contexts; ++x) {
      if (here[x] == 0.0) continue;
      now.left += leaving * here[x];
      for (std::size_t a = 0; a < A; ++a) {
        const double mass = (1.0 - leaving) * here[x] * policy[x * A + a];
        if (process_.terminal[a] != 0) {
          now.stopped[x * A + a] += mass;
          continue;
        }
        const auto chances = process_.chances_of(x, static_cast<int>(a));
        double* next = &now.arrivals[process_.context_of(static_cast<int>(a), 0)];
        for (int z = 0; z < process_.outcomes; ++z) next[z] += mass * chances[z];
      }
    }
  }
}

// `worth` of being anywhere before decision t + 1 becomes that before decision t; adds this step's part of
// the objective.
double VisitMatching::step_backward(std::size_t t, std::span<const double> policy, Where& worth,
                                    std::span<double> by_policy) const {
  const auto A = static_cast<std::size_t>(process_.actions);
  const double leaving = records_.steps[t].leaving;
  double value = 0.0;
  std::vector<double> here(process_.contexts, 0.0);
  for (int x = 0; x < process_.contexts; ++x) {
    value += matched(recorded_[t].arrivals[x], predicted_[t].arrivals[x], here[x]);
    here[x] += leaving * worth.left;
    for (std::size_t a = 0; a < A; ++a) {
      const double next = process_.terminal[a] != 0
                              ? worth.stopped[x * A + a]
                              : process_.expected_next(x, static_cast<int>(a), worth.arrivals);
      here[x] += (1.0 - leaving) * policy[x * A + a] * next;
      by_policy[x * A + a] += (1.0 - leaving) * predicted_[t].arrivals[x] * next;
    }
  }
  worth.arrivals.swap(here);
  value += matched(recorded_[t].left, predicted_[t].left, worth.left);
  for (std::size_t at = 0; at < policy.size(); ++at) {
    value += matched(recorded_[t].stopped[at], predicted_[t].stopped[at], worth.stopped[at]);
  }
  return value;
}

double VisitMatching::evaluate(std::span<const double> x, std::span<double> gradient) {
  const std::vector<double> policy = policy_.at(x);
  forward(policy);
  double value = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    value -= 0.5 * precision_ * x[i] * x[i];
    gradient[i] = -precision_ * x[i];
  }
  Where worth{std::vector<double>(process_.contexts, 0.0), std::vector<double>(policy.size(), 0.0), 0.0};
  std::vector<double> by_policy(policy.size(), 0.0);
  for (std::size_t t = predicted_.size(); t-- > 0;) value += step_backward(t, policy, worth, by_policy);
  if (!std::isfinite(value)) return -std::numeric_limits<double>::infinity();
  policy_.pull_back(policy, by_policy, gradient);
  return value;
}

}  // namespace interpole::learners
