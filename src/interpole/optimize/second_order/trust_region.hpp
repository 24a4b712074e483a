// The best step of a quadratic model within a radius: the heart of a trust-region method (Moré and Sorensen,
// 1983).
#pragma once

#include <Eigen/Core>

namespace interpole::optimize {

// A step s, and what the model g·s − ½ sᵀBs gains by it.
struct ModelStep {
  Eigen::VectorXd step;
  double gain = 0.0;
  // The model has a top and the step leads to it. Otherwise the radius, or the lack of a top, set its length.
  bool whole = false;
};

// In coordinates in which B is diagonal, `curvature` in rising order: maximises g·s − ½ Σ curvature s² over
// ‖s‖ ≤ radius, whatever the signs of the curvature. Costs O(n) for each of a few dozen trial lengths.
ModelStep best_step_within(const Eigen::VectorXd& gradient, const Eigen::VectorXd& curvature, double radius);

}  // namespace interpole::optimize
