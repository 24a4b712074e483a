#include "interpole/sampling/nuts/running_moments.hpp"

#include <algorithm>

namespace interpole::sampling {
namespace {

constexpr double kPriorPoints = 5.0;
constexpr double kPriorVariance = 1e-3;

}  // namespace

RunningMoments RunningMoments::empty(MetricKind kind, int size) {
  RunningMoments moments;
  moments.mean.assign(size, 0.0);
  moments.products.assign(metric_entries(kind, size), 0.0);
  return moments;
}

void RunningMoments::clear() {
  count = 0;
  std::fill(mean.begin(), mean.end(), 0.0);
  std::fill(products.begin(), products.end(), 0.0);
}

void RunningMoments::add(std::span<const double> x) {
  ++count;
  const std::size_t n = mean.size();
  const auto share = 1.0 / static_cast<double>(count);
  // (x − old mean)(x − new mean)ᵀ = (1 − 1/count)·d·dᵀ with d = x − old mean: symmetric to the last bit.
  const double weight = 1.0 - share;
  if (is_dense()) {
    for (std::size_t i = 0; i < n; ++i) {
      const double d = weight * (x[i] - mean[i]);
      for (std::size_t j = 0; j < i; ++j) {
        products[j * n + i] = products[i * n + j] += d * (x[j] - mean[j]);
      }
      products[i * n + i] += d * (x[i] - mean[i]);
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) products[i] += weight * (x[i] - mean[i]) * (x[i] - mean[i]);
  }
  for (std::size_t i = 0; i < n; ++i) mean[i] += share * (x[i] - mean[i]);
}

std::vector<double> RunningMoments::regularised_covariance() const {
  const auto n = static_cast<double>(count);
  const double scale = n / (n + kPriorPoints) / (n - 1.0);
  const double floor = kPriorVariance * kPriorPoints / (n + kPriorPoints);
  std::vector<double> covariance(products.size());
  for (std::size_t i = 0; i < products.size(); ++i) covariance[i] = scale * products[i];
  const std::size_t stride = is_dense() ? mean.size() + 1 : 1;
  for (std::size_t i = 0; i < mean.size(); ++i) covariance[i * stride] += floor;
  return covariance;
}

}  // namespace interpole::sampling
