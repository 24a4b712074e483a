// Compares an objective's gradient with fourth-order central differences of its value.
#pragma once

#include <span>

#include "interpole/optimize/objective.hpp"

namespace interpole::optimize {

struct GradientCheck {
  int worst_coordinate = -1;
  double worst_error =
      0.0;  // |analytic − numeric| relative to the largest component of the gradient (at least 1)
  double analytic = 0.0;
  double numeric = 0.0;
};

GradientCheck check_gradient(Objective& objective, std::span<const double> x, double step = 1e-3);

}  // namespace interpole::optimize
