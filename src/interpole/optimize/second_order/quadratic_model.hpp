// What Newton's method knows of an objective around a point: the quadratic that touches it there. Written
// down whole, or known by its products alone.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "interpole/optimize/objective.hpp"
#include "interpole/optimize/second_order/trust_region.hpp"

namespace interpole::optimize {

class QuadraticModel {
 public:
  virtual ~QuadraticModel() = default;
  // Second derivatives at x, by differences of the gradient. False if they are not finite.
  virtual bool measure(const Eigen::VectorXd& x) = 0;
  virtual bool measured() const = 0;
  // Measured where the search is: it has not moved since.
  virtual bool fresh() const = 0;
  // … and not been asked for a second step.
  virtual bool just_measured() const = 0;
  // To be measured anew before it is used again.
  virtual void forget() = 0;
  // The search moved by `step`, along which the gradient fell by `fall`.
  virtual void learn(const Eigen::VectorXd& step, const Eigen::VectorXd& fall) = 0;
  virtual ModelStep best_step(const Eigen::VectorXd& gradient, double radius) = 0;
  // The covariance (n·n) of the normal density that falls off as fast, whatever the signs of the curvature,
  // which counts as `least` at least. Empty: not known.
  virtual std::vector<double> covariance(double least) = 0;
};

// Keeps a reference to the objective.
std::unique_ptr<QuadraticModel> make_quadratic_model(Objective& objective, int most_dense);

}  // namespace interpole::optimize
