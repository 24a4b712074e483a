#include "interpole/planning/value_function.hpp"

#include <utility>

namespace interpole::planning {

ValueFunction::ValueFunction(std::shared_ptr<const Pomdp> pomdp, AlphaVectors vectors, AlphaVectors next)
    : pomdp_(std::move(pomdp)), vectors_(std::move(vectors)), next_(std::move(next)) {}

int ValueFunction::action(std::span<const double> belief) const {
  return vectors_.actions[best_at(vectors_, belief)];
}

double ValueFunction::q(std::span<const double> belief, int action) const {
  if (vectors_.actions.front() == kNoAction) return 0.0;
  const std::size_t S = pomdp_->states.size();
  double result = 0.0;
  for (std::size_t s = 0; s < S; ++s) result += belief[s] * pomdp_->gain(action, static_cast<int>(s));
  if (pomdp_->is_terminal(action)) return result;
  std::vector<double> joint(S * pomdp_->observations.size());
  joint_outcomes(*pomdp_, action, belief, joint);
  double follows = 0.0;
  // The value of an unnormalised belief is its probability times the value of the belief: nothing to divide.
  for (std::size_t z = 0; z < pomdp_->observations.size(); ++z) {
    follows += value_at(next_, std::span(joint).subspan(z * S, S));
  }
  return result + pomdp_->discount * follows;
}

std::vector<double> ValueFunction::q(std::span<const double> belief) const {
  std::vector<double> result(pomdp_->actions.size());
  for (std::size_t a = 0; a < result.size(); ++a) result[a] = q(belief, static_cast<int>(a));
  return result;
}

}  // namespace interpole::planning
