// The paper's Markov chain over dynamics φ and rewards r together. Two moves, both of which leave the
// posterior of joint_target.hpp invariant:
//   paths  hidden paths given φ and the observations (forward filtering, backward sampling), then φ' given
//          the paths (Dirichlet). This is reversible with respect to p(φ | observations), so accepting φ'
//          with probability min(1, ratio of the action likelihoods) is exact.
//   walk   a random-walk step of r.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/learners/inverse_rl/joint_target.hpp"
#include "interpole/sampling/random_walk.hpp"

namespace interpole::learners {

class JointChain {
 public:
  JointChain(const JointTarget& target, const Dynamics& dynamics, std::vector<double> rewards);

  // Each returns how likely the move was to be accepted, and says in `accepted` whether it was.
  double move_paths(base::RandomStream& random, bool* accepted = nullptr);
  double move_rewards(base::RandomStream& random, const sampling::RandomWalk& walk, bool* accepted = nullptr);

  const Dynamics& dynamics() const { return here_.dynamics; }
  std::span<const double> rewards() const { return rewards_of(here_.x); }
  double log_density() const;  // of the dynamics' coordinates and the rewards, up to a constant

 private:
  struct Point {
    std::vector<double> x;  // coordinates of the dynamics, then rewards
    Dynamics dynamics;
    std::shared_ptr<const DecisionTable> decisions;
    double log_observations = 0.0;
    double log_actions = 0.0;
    double log_prior = 0.0;  // of dynamics (with the coordinates' Jacobian) and rewards
  };
  std::span<const double> rewards_of(const std::vector<double>& x) const;
  // Nothing if the dynamics call an outcome of the data impossible.
  std::optional<Point> at(std::vector<double> x, const Dynamics& dynamics) const;
  void weigh_actions(Point& point) const;
  void weigh_prior(Point& point) const;
  double accept(base::RandomStream& random, std::optional<Point> proposal, double log_ratio, bool* accepted);

  JointTarget target_;
  Point here_;
};

}  // namespace interpole::learners
