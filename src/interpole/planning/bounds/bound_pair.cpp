#include "interpole/planning/bounds/bound_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::planning {
namespace {

double gain_at(const Pomdp& pomdp, int action, std::span<const double> belief) {
  double gain = 0.0;
  for (std::size_t s = 0; s < belief.size(); ++s) gain += belief[s] * pomdp.gain(action, static_cast<int>(s));
  return gain;
}

// What can follow `action`: row z is the next belief times the probability of outcome z. Empty if it ends.
std::vector<double> outcomes_of(const Pomdp& pomdp, int action, std::span<const double> belief) {
  if (pomdp.is_terminal(action)) return {};
  std::vector<double> joint(belief.size() * pomdp.observations.size());
  joint_outcomes(pomdp, action, belief, joint);
  return joint;
}

double upper_q(const Pomdp& pomdp, const UpperBound& next, int action, std::span<const double> belief,
               std::span<const double> joint) {
  double follows = 0.0;
  for (std::size_t at = 0; at < joint.size(); at += belief.size()) {
    follows += next.value(joint.subspan(at, belief.size()));
  }
  return gain_at(pomdp, action, belief) + pomdp.discount * follows;
}

// The vector of doing `action` and then whatever `next` has best at each outcome.
std::vector<double> backed_up(const Pomdp& pomdp, const AlphaVectors& next, int action,
                              std::span<const double> joint) {
  const auto S = static_cast<std::size_t>(pomdp.state_count());
  const auto Z = static_cast<std::size_t>(pomdp.observation_count());
  std::vector<double> vector(S);
  for (std::size_t s = 0; s < S; ++s) vector[s] = pomdp.gain(action, static_cast<int>(s));
  if (joint.empty()) return vector;
  std::vector<double> arriving(S, 0.0);  // worth of each next state, before the outcome is seen
  const double* O = pomdp.observation.data() + action * S * Z;
  for (std::size_t z = 0; z < Z; ++z) {
    const auto best = next.row(best_at(next, joint.subspan(z * S, S)));
    for (std::size_t to = 0; to < S; ++to) arriving[to] += O[to * Z + z] * best[to];
  }
  for (std::size_t s = 0; s < S; ++s) {
    const std::span row(pomdp.transition.data() + (action * S + s) * S, S);
    vector[s] += pomdp.discount * expectation(row, arriving);
  }
  return vector;
}

}  // namespace

BoundPair::BoundPair(AlphaVectors lower, AlphaVectors informed)
    : lower_(std::move(lower)), upper_(std::move(informed)) {}

double BoundPair::largest_gap() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < upper_.point_count(); ++i) largest = std::max(largest, gap(upper_.point(i)));
  return largest;
}

bool BoundPair::descend(const Pomdp& pomdp, const BoundPair& next, double allowed,
                        std::vector<double>& belief) const {
  const std::size_t S = belief.size();
  std::vector<double> joint;
  double highest = -INFINITY;
  for (int a = 0; a < pomdp.action_count(); ++a) {
    auto outcomes = outcomes_of(pomdp, a, belief);
    const double q = upper_q(pomdp, next.upper_, a, belief, outcomes);
    if (q > highest) {
      highest = q;
      joint = std::move(outcomes);
    }
  }
  double most = 0.0;
  std::vector<double> chosen;
  for (std::size_t at = 0; at < joint.size(); at += S) {
    const auto outcome = std::span(joint).subspan(at, S);
    double probability = 0.0;
    for (const double weight : outcome) probability += weight;
    if (!(probability > 0.0)) continue;
    const double excess = next.gap(outcome) - probability * allowed;  // both already weighted
    if (excess > most) {
      most = excess;
      chosen.assign(outcome.begin(), outcome.end());
      for (double& b : chosen) b /= probability;
    }
  }
  if (chosen.empty()) return false;
  belief = std::move(chosen);
  return true;
}

void BoundPair::improve(const Pomdp& pomdp, const BoundPair& next, std::span<const double> belief) {
  double highest = -INFINITY;
  double best_value = -INFINITY;
  int best_action = 0;
  std::vector<double> best;
  for (int a = 0; a < pomdp.action_count(); ++a) {
    const auto joint = outcomes_of(pomdp, a, belief);
    highest = std::max(highest, upper_q(pomdp, next.upper_, a, belief, joint));
    auto vector = backed_up(pomdp, next.lower_, a, joint);
    const double value = expectation(vector, belief);
    if (value > best_value) {
      best_value = value;
      best_action = a;
      best = std::move(vector);
    }
  }
  if (best_value > value_at(lower_, belief)) add_lower(best_action, best);
  if (highest < upper_.value(belief)) upper_.lower_to(belief, highest);
}

// Vectors below the new one in every state are of no more use.
void BoundPair::add_lower(int action, std::span<const double> vector) {
  AlphaVectors kept{lower_.states, {}, {}};
  kept.values.reserve(lower_.values.size() + vector.size());
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    const auto row = lower_.row(i);
    bool below = true;
    for (std::size_t s = 0; below && s < row.size(); ++s) below = row[s] <= vector[s];
    if (!below) kept.add(lower_.actions[i], row);
  }
  kept.add(action, vector);
  lower_ = std::move(kept);
}

}  // namespace interpole::planning
