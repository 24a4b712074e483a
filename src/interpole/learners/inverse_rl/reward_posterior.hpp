// The posterior of joint_target.hpp as a log-density with its gradient.
//
// Coordinates: those of φ (model/parameter_space.hpp), then those of β·r (reward_shaping.hpp); the value is a
// density of these. It is continuous where two states are planned exactly. Its gradient jumps where two plans
// are equally good, by little, since each such place concerns few of the decisions; plans at fixed points let
// the value jump there too, by about a hundredth.
#pragma once

#include <span>
#include <vector>

#include "interpole/learners/inverse_rl/joint_target.hpp"
#include "interpole/learners/inverse_rl/reward_shaping.hpp"
#include "interpole/optimize/objective.hpp"

namespace interpole::learners {

class RewardPosterior : public optimize::Objective {
 public:
  // What the target refers to must outlive it.
  explicit RewardPosterior(const JointTarget& target);

  int size() const override;
  // −∞ where the dynamics call an outcome of the data impossible, and beyond thirty standard deviations of
  // the rewards' prior.
  double evaluate(std::span<const double> x, std::span<double> gradient) override;

  // From coordinates to what they stand for, and back.
  Dynamics dynamics(std::span<const double> x) const;
  std::vector<double> rewards(std::span<const double> x) const;
  std::vector<double> coordinates(const Dynamics& dynamics, std::span<const double> rewards) const;

  // Draws anew, from the prior given all else, what decisions hardly show of the rewards. Returns by how much
  // the log-density of that prior has changed: accepting with the ratio of the rest is exact.
  double redraw_unseen(std::span<double> x, base::RandomStream& random) const;

 private:
  // Sets beliefs and decisions; false if an outcome is impossible.
  bool believe(std::span<const double> x);
  double weigh_observations() const;
  // Also adds derivatives by β·r and by the dynamics, those of the observations among them.
  double weigh_actions(std::span<const double> scaled, std::span<double> by_reward,
                       Dynamics& by_dynamics) const;
  void pull_back(const planning::TracedWorth& worth, std::span<const double> chances,
                 Dynamics& by_dynamics) const;

  JointTarget target_;
  RewardShaping shaping_;
  Dynamics dynamics_;
  inference::NodeBeliefs beliefs_;
  DecisionTable decisions_;
};

}  // namespace interpole::learners
