#include "interpole/planning/bounds/upper_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace interpole::planning {

UpperBound::UpperBound(AlphaVectors informed)
    : states_(static_cast<std::size_t>(informed.states)), informed_(std::move(informed)) {
  corners_.assign(states_, -INFINITY);
  for (std::size_t i = 0; i < informed_.size(); ++i) {
    for (std::size_t s = 0; s < states_; ++s) corners_[s] = std::max(corners_[s], informed_.row(i)[s]);
  }
}

double UpperBound::sawtooth(std::span<const double> weights, double start) const {
  double deepest = start;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double* point = points_.data() + i * states_;
    double share = INFINITY;  // how much of the weights is a multiple of this point
    for (std::size_t s = 0; s < states_; ++s) {
      if (point[s] > 0.0) share = std::min(share, weights[s] / point[s]);
    }
    deepest = std::min(deepest, depths_[i] * share);
  }
  return deepest;
}

double UpperBound::value(std::span<const double> weights) const {
  return std::min(expectation(corners_, weights) + sawtooth(weights, 0.0), value_at(informed_, weights));
}

double UpperBound::depth(std::size_t i) const {
  return std::min(0.0, values_[i] - expectation(corners_, point(i)));
}

void UpperBound::lower_to(std::span<const double> belief, double value) {
  const auto top = std::max_element(belief.begin(), belief.end());
  if (*top == 1.0) {
    double& corner = corners_[static_cast<std::size_t>(top - belief.begin())];
    corner = std::min(corner, value);
    for (std::size_t i = 0; i < values_.size(); ++i) depths_[i] = depth(i);
    return;
  }
  points_.insert(points_.end(), belief.begin(), belief.end());
  values_.push_back(value);
  depths_.push_back(0.0);
  depths_.back() = depth(values_.size() - 1);
  if (values_.size() >= next_cleaning_) drop_idle_points();
}

// A point is idle if the others say as much without it.
void UpperBound::drop_idle_points() {
  for (std::size_t i = values_.size(); i-- > 0;) {
    const double own = std::exchange(depths_[i], 0.0);
    if (sawtooth(point(i), 0.0) > own) {
      depths_[i] = own;
      continue;
    }
    const auto at = static_cast<std::ptrdiff_t>(i);
    const auto width = static_cast<std::ptrdiff_t>(states_);
    points_.erase(points_.begin() + at * width, points_.begin() + (at + 1) * width);
    values_.erase(values_.begin() + at);
    depths_.erase(depths_.begin() + at);
  }
  next_cleaning_ = 2 * values_.size() + 64;
}

}  // namespace interpole::planning
