// A Markov chain over dynamics φ and rewards r together, whose target is the posterior of both:
//
//   p(φ, r | D) ∝ Dirichlet(φ) Normal(r) Π_t c_t(φ) Π_t π_{φ,r}(a_t | b_t(φ))
//                                        observations  actions
//
// Two moves, both of which leave it invariant:
//   paths  hidden paths given φ and the observations (forward filtering, backward sampling), then φ' given
//          the paths (Dirichlet). This is reversible with respect to p(φ | observations), so accepting φ'
//          with probability min(1, ratio of the action likelihoods) is exact.
//   walk   a random-walk step of coordinates of φ and of r, of both or of r alone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/baselines/reward_agent.hpp"
#include "interpole/model/parameter_space.hpp"
#include "interpole/model/priors.hpp"
#include "interpole/optimize/random_walk.hpp"

namespace interpole {

struct JointTarget {
  const HistoryTree& tree;
  const RewardAgent& agent;
  const DynamicsSpace& space;  // what of the dynamics is to be learned
  const Priors& priors;
  double reward_sd = 1.0;
};

class JointChain {
 public:
  JointChain(const JointTarget& target, const Dynamics& dynamics, std::vector<double> rewards);

  // Each returns how likely the move was to be accepted, and says in `accepted` whether it was.
  // `row`: of space.blocks(), if only one row is to be drawn anew; more such moves are accepted.
  double move_paths(RandomStream& random, bool* accepted = nullptr, std::optional<std::size_t> row = {});
  double move_rewards(RandomStream& random, const RandomWalk& walk, bool* accepted = nullptr);
  double move_both(RandomStream& random, const RandomWalk& walk, bool* accepted = nullptr);

  // Coordinates of the dynamics, then rewards: where `move_both` walks.
  const std::vector<double>& coordinates() const { return here_.x; }
  const Dynamics& dynamics() const { return here_.dynamics; }
  std::span<const double> rewards() const { return rewards_of(here_.x); }
  double log_density() const;  // of the coordinates, up to a constant
  // The same elsewhere, without going there; −∞ where the data are impossible.
  double log_density_at(std::span<const double> x) const;

 private:
  struct Point {
    std::vector<double> x;
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
  double accept(RandomStream& random, std::optional<Point> proposal, double log_ratio, bool* accepted);

  JointTarget target_;
  Point here_;
};

}  // namespace interpole
