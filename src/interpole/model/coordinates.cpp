#include "interpole/model/coordinates.hpp"

#include <algorithm>
#include <vector>

namespace interpole::model {
namespace {

constexpr double kFloor = 1e-6;  // of the row's mass

}  // namespace

void simplex_coordinates(std::span<const double> theta, std::span<double> y) {
  double mass = 0.0;
  for (const double p : theta) mass += p;
  std::vector<double> logs(theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) logs[i] = std::log(std::max(theta[i], kFloor * mass));
  helmert_transpose<double>(logs, y);
}

void simplex_pull_back(std::span<const double> theta, double mass, std::span<const double> d_theta,
                       std::span<double> d_y) {
  double average = 0.0;
  for (std::size_t i = 0; i < theta.size(); ++i) average += theta[i] * d_theta[i];
  average /= mass;
  double head = 0.0;
  double here = theta[0] * (d_theta[0] - average);
  for (std::size_t k = 0; k < d_y.size(); ++k) {
    head += here;
    here = theta[k + 1] * (d_theta[k + 1] - average);
    const double steps = static_cast<double>(k + 1);
    d_y[k] += (head - steps * here) / std::sqrt(steps * (steps + 1.0));
  }
}

double simplex_log_jacobian(std::span<const double> theta, double mass, std::span<double> d_y) {
  const double n = static_cast<double>(theta.size());
  double value = (n - 1.0) * std::log(mass) + 0.5 * std::log(n);
  for (const double p : theta) value += std::log(p / mass);
  if (!d_y.empty()) {
    // d/dx_j Σ_i log p_i = 1 − n p_j, then Vᵀ.
    double head = 0.0;
    for (std::size_t k = 0; k < d_y.size(); ++k) {
      head += 1.0 - n * theta[k] / mass;
      const double steps = static_cast<double>(k + 1);
      d_y[k] += (head - steps * (1.0 - n * theta[k + 1] / mass)) / std::sqrt(steps * (steps + 1.0));
    }
  }
  return value;
}

}  // namespace interpole::model
