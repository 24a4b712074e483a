// Coordinates of rewards that keep apart what behaviour shows and what it does not.
//
// Adding φ(s) − γ Σ_s' T(s'|s,a) φ(s') to the rewards changes (up to what the horizon cuts off) no decision.
// So rewards are written as
//
//   r(a,·) = ρ(a,·) + (I − γ T_a) φ,      ρ = 0 for one action,
//
// T_a = 0 for actions that end the process. Behaviour shows ρ alone; of φ nothing is known but the prior, and
// it is wide. In the rewards themselves the directions in which nothing is known turn as T changes, which a
// sampler can follow by tiny steps only.
#pragma once

#include <span>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/parameters.hpp"

namespace interpole::learners {

class RewardShaping {
 public:
  RewardShaping(const Structure& structure, double discount);

  // Coordinates: φ, then ρ of all other actions in order. Both ways are linear for given dynamics.
  std::vector<double> rewards(const Dynamics& dynamics, std::span<const double> x) const;
  std::vector<double> coordinates(const Dynamics& dynamics, std::span<const double> rewards) const;

  // Adds the log-Jacobian |∂r/∂x| to a function of rewards and dynamics: returns it, and turns derivatives by
  // rewards into those by the coordinates (added to d_x) and by the dynamics (added to by_dynamics).
  double pull_back(const Dynamics& dynamics, std::span<const double> x, std::span<const double> by_reward,
                   std::span<double> d_x, Dynamics& by_dynamics) const;

  // Draws φ anew from what it is beforehand given ρ, if every reward is Normal(0, sd²). Returns by how much
  // the log-density of that has changed.
  double redraw(const Dynamics& dynamics, double sd, base::RandomStream& random, std::span<double> x) const;

 private:
  // Where an action's ρ begins among the coordinates; that of the one without is φ.
  std::size_t place(std::size_t action) const;
  bool ends(std::size_t action) const;

  const Structure& structure_;
  double discount_;
  std::size_t S_;
  std::size_t without_ = 0;  // the action whose ρ is zero
};

}  // namespace interpole::learners
