// An upper bound on the value of beliefs, made of two:
//   the fast informed bound: one vector per action, as if the state were told one step later than it is;
//   points with a known bound, interpolated by a sawtooth: the value is convex, so between a point and the
//   corners of the simplex it lies below the straight lines.
// Both are positively homogeneous, so weights that do not sum to one need no division.
#pragma once

#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

class UpperBound {
 public:
  explicit UpperBound(AlphaVectors informed);

  double value(std::span<const double> weights) const;
  // Records that the value at `belief` is at most `value`.
  void lower_to(std::span<const double> belief, double value);

  std::size_t point_count() const { return values_.size(); }
  std::span<const double> point(std::size_t i) const { return {points_.data() + i * states_, states_}; }
  const std::vector<double>& corners() const { return corners_; }

 private:
  double sawtooth(std::span<const double> weights, double start) const;
  double depth(std::size_t i) const;  // how far point i lies below the plane through the corners (≤ 0)
  void drop_idle_points();

  std::size_t states_;
  AlphaVectors informed_;
  std::vector<double> corners_;
  std::vector<double> points_;
  std::vector<double> values_;
  std::vector<double> depths_;
  std::size_t next_cleaning_ = 64;
};

// One step of the fast informed bound: maps an upper bound with n stages to go to one with n + 1.
AlphaVectors informed_step(const Pomdp& pomdp, const AlphaVectors& next);
// Its limit without a horizon, from above: valid wherever the iteration stops.
AlphaVectors informed_bound(const Pomdp& pomdp, double accuracy);

// The value of always doing the same, for each action: with n + 1 stages to go from n, and without a horizon.
// A lower bound.
AlphaVectors blind_step(const Pomdp& pomdp, const AlphaVectors& next);
AlphaVectors blind_bound(const Pomdp& pomdp, double accuracy);

}  // namespace interpole::planning
