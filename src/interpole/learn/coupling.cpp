#include "interpole/learn/coupling.hpp"

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/model/coordinates.hpp"

namespace interpole {
namespace {

constexpr int kDraws = 2048;
constexpr std::uint64_t kTiltSeed = 7;  // fixed: the normaliser is a number, not a finding

double log_sum(const std::vector<double>& logs) {
  double highest = -INFINITY;
  for (const double x : logs) highest = std::max(highest, x);
  double sum = 0.0;
  for (const double x : logs) sum += std::exp(x - highest);
  return highest + std::log(sum);
}

// log Dirichlet density (natural) at mass·softmax(V y).
double log_dirichlet(std::span<const double> alpha, std::span<const double> y) {
  std::vector<double> theta(alpha.size());
  simplex_point<double>(y, 1.0, theta);
  double value = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    total += alpha[i];
    value -= std::lgamma(alpha[i]);
    if (alpha[i] != 1.0) value += (alpha[i] - 1.0) * std::log(std::max(theta[i], 1e-300));
  }
  return value + std::lgamma(total);
}

}  // namespace

double CouplingScales::of(Field field) const {
  return const_cast<CouplingScales*>(this)->of(field);
}

double& CouplingScales::of(Field field) {
  return field == Field::kInitial ? initial : field == Field::kTransition ? transition : observation;
}

ScaleGrid scale_grid(int points) {
  ScaleGrid grid;
  const double step = std::log(kLargestScale / kSmallestScale) / (points - 1);
  for (int i = 0; i < points; ++i) {
    const double sigma = kSmallestScale * std::exp(step * i);
    grid.sigma.push_back(sigma);
    grid.log_weight.push_back(std::log(sigma) - 0.5 * sigma * sigma / (kScaleSpread * kScaleSpread));
  }
  const double total = log_sum(grid.log_weight);
  for (double& weight : grid.log_weight) weight -= total;
  return grid;
}

double tilt_of(double sigma) {
  return std::isinf(sigma) ? 1.0 : sigma * sigma / (1.0 + sigma * sigma);
}

double log_tilt_normaliser(const ParameterBlock& block, const std::vector<double>& concentration,
                           std::span<const double> anchor, double sigma) {
  std::vector<double> alpha;
  bool uniform = true;
  for (const int i : block.entries) {
    alpha.push_back(concentration[i]);
    uniform &= concentration[i] == 1.0;
  }
  if (uniform) return std::lgamma(static_cast<double>(alpha.size())) * tilt_of(sigma);
  std::vector<double> logs(kDraws);
  std::vector<double> row(alpha.size());
  std::vector<double> y(block.size);
  for (int draw = 0; draw < kDraws; ++draw) {
    RandomStream random(kTiltSeed, draw);
    double total = 0.0;
    for (std::size_t i = 0; i < alpha.size(); ++i) total += row[i] = random.gamma(alpha[i]);
    for (double& p : row) p /= total;
    simplex_coordinates(row, y);
    if (!anchor.empty()) std::copy(anchor.begin(), anchor.end(), y.begin());
    for (double& coordinate : y) coordinate += sigma * random.normal();
    logs[draw] = tilt_of(sigma) * log_dirichlet(alpha, y);
  }
  return log_sum(logs) - std::log(static_cast<double>(kDraws));
}

}  // namespace interpole
