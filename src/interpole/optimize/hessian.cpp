#include "interpole/optimize/hessian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::optimize {
namespace {

void make_symmetric(std::size_t n, std::vector<double>& matrix) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix[i * n + j] = matrix[j * n + i] = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
    }
  }
}

}  // namespace

std::vector<double> hessian_by_differences(Objective& objective, std::span<const double> x, double step) {
  std::vector<int> all(x.size());
  std::iota(all.begin(), all.end(), 0);
  return hessian_by_blocks(objective, x, {all}, step);
}

std::vector<double> hessian_by_blocks(Objective& objective, std::span<const double> x,
                                      const std::vector<std::vector<int>>& blocks, double step) {
  const std::size_t n = x.size();
  std::vector<double> result(n * n, 0.0);
  std::vector<double> point(x.begin(), x.end());
  std::vector<double> gradient(n);
  std::size_t largest = 0;
  for (const auto& block : blocks) largest = std::max(largest, block.size());
  for (std::size_t k = 0; k < largest; ++k) {
    for (const double side : {1.0, -1.0}) {
      for (const auto& block : blocks) {
        if (k < block.size()) point[block[k]] = x[block[k]] + side * step;
      }
      if (!std::isfinite(objective.evaluate(point, gradient))) gradient.assign(n, NAN);
      for (const auto& block : blocks) {
        if (k >= block.size()) continue;
        for (const int j : block) result[block[k] * n + j] += side * gradient[j] / (2.0 * step);
      }
    }
    for (const auto& block : blocks) {
      if (k < block.size()) point[block[k]] = x[block[k]];
    }
  }
  make_symmetric(n, result);
  return result;
}

std::vector<double> one_sided_hessian(Objective& objective, std::span<const double> x, double step) {
  const std::size_t n = x.size();
  std::vector<double> result(n * n, NAN);
  std::vector<double> point(x.begin(), x.end());
  std::vector<double> here(n), there(n);
  if (!std::isfinite(objective.evaluate(point, here))) return result;
  for (std::size_t i = 0; i < n; ++i) {
    point[i] = x[i] + step;
    if (!std::isfinite(objective.evaluate(point, there))) there.assign(n, NAN);
    point[i] = x[i];
    for (std::size_t j = 0; j < n; ++j) result[i * n + j] = (there[j] - here[j]) / step;
  }
  make_symmetric(n, result);
  return result;
}

std::vector<double> hessian(Objective& objective, std::span<const double> x) {
  std::vector<double> own = objective.second_derivatives(x, {});
  return own.empty() ? hessian_by_differences(objective, x) : own;
}

}  // namespace interpole::optimize
