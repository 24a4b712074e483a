#include "interpole/optimize/hessian.hpp"

#include <cmath>

namespace interpole::optimize {

std::vector<double> hessian_by_differences(Objective& objective, std::span<const double> x, double step) {
  const std::size_t n = x.size();
  std::vector<double> result(n * n, 0.0);
  std::vector<double> point(x.begin(), x.end());
  std::vector<double> gradient(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const double side : {1.0, -1.0}) {
      point[i] = x[i] + side * step;
      if (!std::isfinite(objective.evaluate(point, gradient))) gradient.assign(n, NAN);
      for (std::size_t j = 0; j < n; ++j) result[i * n + j] += side * gradient[j] / (2.0 * step);
    }
    point[i] = x[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      result[i * n + j] = result[j * n + i] = 0.5 * (result[i * n + j] + result[j * n + i]);
    }
  }
  return result;
}

std::vector<double> hessian(Objective& objective, std::span<const double> x) {
  std::vector<double> own = objective.second_derivatives(x, {});
  return own.empty() ? hessian_by_differences(objective, x) : own;
}

}  // namespace interpole::optimize
