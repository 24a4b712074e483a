// One transition of the no-U-turn sampler: a trajectory is doubled, forwards or backwards in time at random,
// until it turns back on itself; the next point is one of its points, chosen in proportion to exp(−energy).
//
// Multinomial version (Betancourt 2017, "A conceptual introduction to Hamiltonian Monte Carlo", appendix A):
// within a doubling the choice is uniform by weight, between doublings it is biased towards the newer half. A
// U-turn is a negative product of the velocity at either end with the sum of momenta; it is asked of every
// sub-trajectory, and again of each half extended by the first point of the other, which catches
// trajectories that close on themselves exactly where the halves meet.
#pragma once

#include <array>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/sampling/nuts/hamiltonian.hpp"

namespace interpole::sampling {

struct Transition {
  double accept_stat = 0.0;  // mean over the trajectory of min(1, exp(−energy error))
  int depth = 0;             // finished doublings
  int leapfrogs = 0;
  bool divergent = false;     // the integrator left the trajectory; the target is too curved for the step
  double energy = 0.0;        // of the chosen point
  double energy_error = 0.0;  // of the chosen point against the start
};

// Holds the memory of a trajectory: a transition allocates nothing.
class Trajectory {
 public:
  Trajectory(const Hamiltonian& hamiltonian, int most_depth, double most_energy_error);

  // Moves `point` to the next point of the chain.
  Transition advance(EvaluatedPoint& point, double step_size, base::RandomStream& random);

 private:
  // A stretch of the trajectory, first to last in the order in which it was walked.
  struct Branch {
    std::vector<double> first_momentum, first_velocity, last_momentum, last_velocity, momentum_sum;
    double log_weight = 0.0;  // log Σ exp(start energy − energy)
    EvaluatedPoint chosen;
    double chosen_energy = 0.0;

    explicit Branch(int size);
    void restart_at(const PhasePoint& point, double point_log_weight);
    void reverse();
  };

  static bool turns(const Branch& earlier, const Branch& later);
  static void join(Branch& earlier, Branch& later, bool take_later);

  bool grow(int depth, Branch& branch);  // false: turned or diverged on the way
  bool grow_by_one(Branch& branch);
  bool extend();  // one doubling; false: the trajectory is complete
  bool happens(double log_probability) { return log_probability >= 0.0 || roll(log_probability); }
  bool roll(double log_probability);

  const Hamiltonian& hamiltonian_;
  int most_depth_;
  double most_energy_error_;
  std::array<PhasePoint, 2> ends_;  // in time: earliest, latest
  Branch whole_, fresh_;
  std::vector<Branch> halves_;  // per depth, the later half of a branch under way

  // Of the transition under way.
  base::RandomStream* random_ = nullptr;
  Transition transition_;
  double step_size_ = 0.0;
  double start_energy_ = 0.0;
  double accept_sum_ = 0.0;
  int growing_end_ = 1;  // at which whole_.last stands
};

}  // namespace interpole::sampling
