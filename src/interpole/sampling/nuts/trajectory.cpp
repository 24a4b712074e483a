#include "interpole/sampling/nuts/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::sampling {
namespace {

double log_sum_exp(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

}  // namespace

Trajectory::Branch::Branch(int size)
    : first_momentum(size),
      first_velocity(size),
      last_momentum(size),
      last_velocity(size),
      momentum_sum(size),
      chosen{std::vector<double>(size), std::vector<double>(size)} {}

// Copies into memory that is already there.
void Trajectory::Branch::restart_at(const PhasePoint& point, double point_log_weight) {
  first_momentum = last_momentum = momentum_sum = point.momentum;
  first_velocity = last_velocity = point.velocity;
  log_weight = point_log_weight;
  chosen = point.at;
  chosen_energy = point.energy;
}

void Trajectory::Branch::reverse() {
  first_momentum.swap(last_momentum);
  first_velocity.swap(last_velocity);
}

Trajectory::Trajectory(const Hamiltonian& hamiltonian, int most_depth, double most_energy_error)
    : hamiltonian_(hamiltonian),
      most_depth_(most_depth),
      most_energy_error_(most_energy_error),
      ends_{PhasePoint(hamiltonian.size()), PhasePoint(hamiltonian.size())},
      whole_(hamiltonian.size()),
      fresh_(hamiltonian.size()),
      halves_(most_depth, Branch(hamiltonian.size())) {}

// A momentum points the same way in time whichever way its branch was walked, so a branch walked backwards is
// judged by the same products.
bool Trajectory::turns(const Branch& earlier, const Branch& later) {
  double all_first = 0.0, all_last = 0.0, left_first = 0.0, left_last = 0.0, right_first = 0.0,
         right_last = 0.0;
  for (std::size_t i = 0; i < earlier.momentum_sum.size(); ++i) {
    const double all = earlier.momentum_sum[i] + later.momentum_sum[i];
    all_first += earlier.first_velocity[i] * all;
    all_last += later.last_velocity[i] * all;
    const double left = earlier.momentum_sum[i] + later.first_momentum[i];
    left_first += earlier.first_velocity[i] * left;
    left_last += later.first_velocity[i] * left;
    const double right = later.momentum_sum[i] + earlier.last_momentum[i];
    right_first += earlier.last_velocity[i] * right;
    right_last += later.last_velocity[i] * right;
  }
  const bool persists = all_first > 0.0 && all_last > 0.0 && left_first > 0.0 && left_last > 0.0 &&
                        right_first > 0.0 && right_last > 0.0;
  return !persists;
}

// `later` becomes the end of `earlier`; its memory is taken in exchange.
void Trajectory::join(Branch& earlier, Branch& later, bool take_later) {
  earlier.last_momentum.swap(later.last_momentum);
  earlier.last_velocity.swap(later.last_velocity);
  for (std::size_t i = 0; i < earlier.momentum_sum.size(); ++i) {
    earlier.momentum_sum[i] += later.momentum_sum[i];
  }
  earlier.log_weight = log_sum_exp(earlier.log_weight, later.log_weight);
  if (take_later) {
    std::swap(earlier.chosen, later.chosen);
    earlier.chosen_energy = later.chosen_energy;
  }
}

bool Trajectory::roll(double log_probability) {
  return std::log(random_->uniform()) < log_probability;
}

bool Trajectory::grow_by_one(Branch& branch) {
  PhasePoint& point = ends_[growing_end_];
  hamiltonian_.leapfrog(point, growing_end_ == 1 ? step_size_ : -step_size_);
  ++transition_.leapfrogs;
  const double log_weight = start_energy_ - point.energy;
  accept_sum_ += log_weight >= 0.0 ? 1.0 : std::exp(log_weight);
  if (-log_weight > most_energy_error_) {
    transition_.divergent = true;
    return false;
  }
  branch.restart_at(point, log_weight);
  return true;
}

bool Trajectory::grow(int depth, Branch& branch) {
  if (depth == 0) return grow_by_one(branch);
  Branch& later = halves_[depth - 1];
  if (!grow(depth - 1, branch) || !grow(depth - 1, later)) return false;
  if (turns(branch, later)) return false;
  const double total = log_sum_exp(branch.log_weight, later.log_weight);
  join(branch, later, happens(later.log_weight - total));
  return true;
}

bool Trajectory::extend() {
  const int end = random_->uniform() > 0.5 ? 1 : 0;
  if (end != growing_end_) {
    whole_.reverse();
    growing_end_ = end;
  }
  if (!grow(transition_.depth, fresh_)) return false;
  ++transition_.depth;
  const bool turned = turns(whole_, fresh_);
  join(whole_, fresh_, happens(fresh_.log_weight - whole_.log_weight));
  return !turned;
}

Transition Trajectory::advance(EvaluatedPoint& point, double step_size, base::RandomStream& random) {
  random_ = &random;
  step_size_ = step_size;
  transition_ = {};
  accept_sum_ = 0.0;
  growing_end_ = 1;
  ends_[0].at = point;
  hamiltonian_.kick(ends_[0], random);
  ends_[1] = ends_[0];
  start_energy_ = ends_[0].energy;
  whole_.restart_at(ends_[0], 0.0);
  while (transition_.depth < most_depth_ && extend()) {
  }
  std::swap(point, whole_.chosen);
  transition_.accept_stat = accept_sum_ / transition_.leapfrogs;
  transition_.energy = whole_.chosen_energy;
  transition_.energy_error = transition_.energy - start_energy_;
  random_ = nullptr;
  return transition_;
}

}  // namespace interpole::sampling
