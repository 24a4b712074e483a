#include "interpole/base/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace interpole::base {

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t index, RandomPurpose purpose, std::uint32_t part)
    : key_{seed, static_cast<std::uint64_t>(purpose) | part}, counter_{0, index, 0, 0}, block_{} {}

void RandomStream::refill() {
  r123::Philox4x64 philox;
  const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  const auto block = philox(counter, key);
  for (int i = 0; i < 4; ++i) block_[i] = block[i];
  ++counter_[0];
  used_ = 0;
}

std::uint64_t RandomStream::next_bits() {
  if (used_ == 4) refill();
  return block_[used_++];
}

double RandomStream::uniform() {
  // 52 random bits, centred in their cell: never exactly 0 or 1.
  return (static_cast<double>(next_bits() >> 12) + 0.5) * 0x1.0p-52;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

double RandomStream::gamma(double shape) {
  if (shape < 1.0) {
    const double boost = std::pow(uniform(), 1.0 / shape);
    return gamma(shape + 1.0) * boost;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = normal();
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::int64_t RandomStream::poisson(double mean) {
  if (mean < 10.0) {
    const double limit = std::exp(-mean);
    std::int64_t count = 0;
    for (double product = uniform(); product > limit; product *= uniform()) ++count;
    return count;
  }
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double accepted_at_once = 0.9277 - 3.6224 / (b - 2.0);
  while (true) {
    const double u = uniform() - 0.5;
    const double v = uniform();
    const double edge = 0.5 - std::abs(u);
    const double k = std::floor((2.0 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= accepted_at_once) return static_cast<std::int64_t>(k);
    if (k < 0.0 || (edge < 0.013 && v > edge)) continue;
    if (std::log(v * inverse_alpha / (a / (edge * edge) + b)) <=
        k * std::log(mean) - mean - std::lgamma(k + 1.0)) {
      return static_cast<std::int64_t>(k);
    }
  }
}

std::int64_t RandomStream::binomial(std::int64_t trials, double probability) {
  constexpr std::int64_t kFewTrials = 16;
  std::int64_t successes = 0;
  // Trial i succeeds if its uniform number lies below `probability`. The middle one of all numbers in order
  // tells on which side half of them are; the rest are uniform again on what is left of the interval.
  while (trials > kFewTrials && probability > 0.0 && probability < 1.0) {
    const std::int64_t below = trials / 2;  // numbers below the middle one
    const double x = gamma(static_cast<double>(below + 1));
    const double middle = x / (x + gamma(static_cast<double>(trials - below)));
    if (middle <= probability) {
      successes += below + 1;
      trials -= below + 1;
      probability = (probability - middle) / (1.0 - middle);
    } else {
      trials = below;
      probability /= middle;
    }
  }
  if (probability <= 0.0) return successes;
  if (probability >= 1.0) return successes + trials;
  for (std::int64_t i = 0; i < trials; ++i) successes += uniform() < probability ? 1 : 0;
  return successes;
}

int RandomStream::categorical(std::span<const double> weights) {
  double total = 0.0;
  for (const double w : weights) total += w;
  double left = uniform() * total;
  int last_possible = 0;
  for (int i = 0; i < static_cast<int>(weights.size()); ++i) {
    if (weights[i] <= 0.0) continue;
    last_possible = i;
    left -= weights[i];
    if (left < 0.0) return i;
  }
  return last_possible;  // rounding left a crumb: the last outcome that can happen takes it
}

std::vector<double> RandomStream::dirichlet(int size, double concentration) {
  std::vector<double> point(size);
  double total = 0.0;
  for (double& x : point) total += x = gamma(concentration);
  if (total <= 0.0) {
    // Every draw underflowed: at such concentrations the distribution sits on the corners.
    point[static_cast<std::size_t>(uniform() * size)] = total = 1.0;
  }
  for (double& x : point) x /= total;
  return point;
}

}  // namespace interpole::base
