#include "interpole/learn/posterior/coupling.hpp"

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/learn/posterior/log_sum.hpp"
#include "interpole/model/coordinates.hpp"

namespace interpole::learn {
namespace {

constexpr std::size_t kTiltDraws = 2048;
constexpr std::uint64_t kTiltSeed = 7;  // fixed: the normaliser is a number, not a finding

// log Dirichlet density at θ.
double log_dirichlet(const std::vector<double>& alpha, const std::vector<double>& theta) {
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

TiltNormaliser::TiltNormaliser(std::vector<double> concentration, std::span<const double> anchor)
    : concentration_(std::move(concentration)) {
  for (const double alpha : concentration_) uniform_ &= alpha == 1.0;
  if (uniform_) return;
  const std::size_t size = concentration_.size() - 1;
  world_.resize(kTiltDraws * size);
  normals_.resize(kTiltDraws * size);
  std::vector<double> row(concentration_.size());
  for (std::size_t draw = 0; draw < kTiltDraws; ++draw) {
    base::RandomStream random(kTiltSeed, draw);
    const std::span<double> y(&world_[draw * size], size);
    double total = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) total += row[i] = random.gamma(concentration_[i]);
    for (double& p : row) p /= total;
    model::simplex_coordinates(row, y);
    if (!anchor.empty()) std::copy(anchor.begin(), anchor.end(), y.begin());
    for (std::size_t k = 0; k < size; ++k) normals_[draw * size + k] = random.normal();
  }
}

double TiltNormaliser::log_at(double sigma) const {
  if (uniform_) return std::lgamma(static_cast<double>(concentration_.size())) * tilt_of(sigma);
  const std::size_t size = concentration_.size() - 1;
  std::vector<double> logs(kTiltDraws);
  std::vector<double> y(size);
  std::vector<double> theta(size + 1);
  for (std::size_t draw = 0; draw < kTiltDraws; ++draw) {
    for (std::size_t k = 0; k < size; ++k) {
      y[k] = world_[draw * size + k] + sigma * normals_[draw * size + k];
    }
    model::simplex_point<double>(y, 1.0, theta);
    logs[draw] = tilt_of(sigma) * log_dirichlet(concentration_, theta);
  }
  return log_sum(logs) - std::log(static_cast<double>(kTiltDraws));
}

double TiltNormalisers::log_at(const std::vector<double>& concentration, const std::vector<double>& anchor,
                               double sigma) {
  const std::lock_guard lock(mutex_);
  std::pair key(concentration, anchor);
  auto row = rows_.find(key);
  if (row == rows_.end()) {
    row = rows_.emplace(std::move(key), Row{TiltNormaliser(concentration, anchor), {}}).first;
  }
  const auto [value, is_new] = row->second.known.try_emplace(sigma, 0.0);
  if (is_new) value->second = row->second.normaliser.log_at(sigma);
  return value->second;
}

}  // namespace interpole::learn
