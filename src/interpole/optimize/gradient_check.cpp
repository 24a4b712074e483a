#include "interpole/optimize/gradient_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace interpole::optimize {

GradientCheck check_gradient(Objective& objective, std::span<const double> x, double step) {
  const std::size_t n = x.size();
  std::vector<double> gradient(n);
  std::vector<double> ignored(n);
  std::vector<double> point(x.begin(), x.end());
  objective.evaluate(point, gradient);
  double scale = 1.0;
  for (const double g : gradient) scale = std::max(scale, std::abs(g));

  GradientCheck worst;
  for (std::size_t i = 0; i < n; ++i) {
    const auto value_at = [&](double offset) {
      point[i] = x[i] + offset;
      const double value = objective.evaluate(point, ignored);
      point[i] = x[i];
      return value;
    };
    const double near = value_at(step) - value_at(-step);
    const double far = value_at(2.0 * step) - value_at(-2.0 * step);
    const double numeric = (8.0 * near - far) / (12.0 * step);
    const double error = std::abs(gradient[i] - numeric) / scale;
    if (!(error <= worst.worst_error)) worst = {static_cast<int>(i), error, gradient[i], numeric};
  }
  return worst;
}

}  // namespace interpole::optimize
