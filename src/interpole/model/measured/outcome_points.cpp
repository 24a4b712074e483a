#include "interpole/model/measured/outcome_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/outcome_weights.hpp"

namespace interpole::model {
namespace {

constexpr double kFarBelow = 10.0;  // standard deviations at which the search for a count begins
constexpr double kFarAbove = 60.0;  // … and at which it ends, whatever is left

// The root above 1 of x^(dimensions + 1) = x + 1.
double golden_ratio(int dimensions) {
  double x = 2.0;
  for (int i = 0; i < 60; ++i) x = std::pow(1.0 + x, 1.0 / (dimensions + 1));
  return x;
}

// [i]: point i in one of the dimensions, from 0.
std::vector<double> lattice(int dimension, int dimensions, int count) {
  const double step = std::pow(golden_ratio(dimensions), -(dimension + 1));
  std::vector<double> points(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double at = 0.5 + (i + 1) * step;
    points[i] = std::clamp(at - std::floor(at), 1e-12, 1.0 - 1e-12);
  }
  return points;
}

double polynomial(std::span<const double> coefficients, double x) {
  double sum = 0.0;
  for (const double c : coefficients) sum = sum * x + c;
  return sum;
}

double level_at(const MeasuredFactor& factor, const double* p, double point) {
  double below = 0.0;
  for (std::size_t k = 0; k + 1 < factor.levels.size(); ++k) {
    below += std::exp(log_density(factor, static_cast<double>(k), p, nullptr));
    if (point < below) return static_cast<double>(k);
  }
  return static_cast<double>(factor.levels.size() - 1);
}

// One walk upwards for all points; what lies ten standard deviations below the mean has no weight.
std::vector<double> counts_at(const MeasuredFactor& factor, const double* p, std::span<const double> points) {
  const double mean = p[0];
  const double sd = std::sqrt(factor.family == Family::kPoisson ? mean : mean + mean * mean / p[1]);
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return points[i] < points[j]; });
  std::vector<double> values(points.size());
  double count = std::max(0.0, std::floor(mean - kFarBelow * sd));
  const double last = std::ceil(mean + kFarAbove * sd) + 100.0;
  double chance = std::exp(log_density(factor, count, p, nullptr));
  double below = chance;
  for (const std::size_t i : order) {
    while (points[i] >= below && count < last) {
      chance *= factor.family == Family::kPoisson ? mean / (count + 1.0)
                                                  : (count + p[1]) / (count + 1.0) * mean / (mean + p[1]);
      ++count;
      below += chance;
    }
    values[i] = count;
  }
  return values;
}

int dimensions_of(const MeasuredFactor& factor) {
  return factor.family == Family::kStudent ? 2 : 1;
}

}  // namespace

double normal_quantile(double p) {
  static constexpr double kCentre[2][8] = {
      {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
       13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608},
      {5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
       5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0}};
  static constexpr double kMiddle[2][8] = {
      {7.7454501427834140764e-4, .0227238449892691845833, .24178072517745061177, 1.27045825245236838258,
       3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734},
      {1.05075007164441684324e-9, 5.475938084995344946e-4, .0151986665636164571966, .14810397642748007459,
       .68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0}};
  static constexpr double kTail[2][8] = {
      {2.01033439929228813265e-7, 2.71155556874348757815e-5, .0012426609473880784386, .026532189526576123093,
       .29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772},
      {2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
       7.868691311456132591e-4, .0148753612908506148525, .13692988092273580531, .59983220655588793769, 1.0}};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kCentre[0], r) / polynomial(kCentre[1], r);
  }
  const double r = std::sqrt(-std::log(std::min(p, 1.0 - p)));
  const auto& part = r <= 5.0 ? kMiddle : kTail;
  const double x = r - (r <= 5.0 ? 1.6 : 5.0);
  return std::copysign(polynomial(part[0], x) / polynomial(part[1], x), q);
}

std::vector<double> values_at(const MeasuredFactor& factor, const double* p, std::span<const double> points,
                              std::span<const double> second) {
  std::vector<double> values(points.size());
  if (factor.family == Family::kPoisson || factor.family == Family::kNegativeBinomial)
    return counts_at(factor, p, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    switch (factor.family) {
      case Family::kNormal:
        values[i] = p[0] + p[1] * normal_quantile(points[i]);
        break;
      case Family::kLogNormal:
        values[i] = p[0] * std::exp(p[1] * normal_quantile(points[i]));
        break;
      case Family::kStudent:
        values[i] = p[0] + p[1] * std::sqrt(p[2] * std::expm1(-2.0 / p[2] * std::log(points[i]))) *
                               std::cos(2.0 * std::numbers::pi * second[i]);
        break;
      default:
        values[i] = level_at(factor, p, points[i]);
    }
    values[i] = recorded(factor, values[i]);
  }
  return values;
}

std::vector<double> outcome_points(const Structure& structure, const Dynamics& dynamics, int action,
                                   int state, std::span<const int> factors, int count) {
  const std::size_t F = structure.factors.size();
  const auto offsets = factor_offsets(structure.factors);
  const std::size_t row = static_cast<std::size_t>(action) * structure.states.size() + state;
  int dimensions = 0;
  for (const int f : factors) dimensions += dimensions_of(structure.factors[f]);
  std::vector<double> outcomes(static_cast<std::size_t>(count) * F, NAN);
  int dimension = 0;
  for (const int f : factors) {
    const MeasuredFactor& factor = structure.factors[f];
    const auto first = lattice(dimension, dimensions, count);
    const auto second = dimensions_of(factor) == 2 ? lattice(dimension + 1, dimensions, count) : first;
    dimension += dimensions_of(factor);
    const auto values =
        values_at(factor, &dynamics.observation[row * offsets.back() + offsets[f]], first, second);
    for (int i = 0; i < count; ++i) outcomes[static_cast<std::size_t>(i) * F + f] = values[i];
  }
  return outcomes;
}

OutcomeChances outcome_chances(const Structure& structure, const Dynamics& dynamics, int action,
                               std::span<const int> factors, int count) {
  const std::size_t F = structure.factors.size();
  OutcomeChances result{structure.state_count(), count, {}};
  result.weights.resize(structure.states.size() * count * structure.states.size());
  std::span<double> rest = result.weights;
  for (int s = 0; s < structure.state_count(); ++s) {
    const auto outcomes = outcome_points(structure, dynamics, action, s, factors, count);
    for (int i = 0; i < count; ++i, rest = rest.subspan(structure.states.size())) {
      outcome_weights(structure, dynamics, action, std::span(outcomes).subspan(i * F, F),
                      rest.first(structure.states.size()));
    }
  }
  return result;
}

std::vector<int> yielded_factors(const Structure& structure, int action) {
  std::vector<int> factors;
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    if (!structure.is_terminal(action) && structure.factors[f].yielded(action))
      factors.push_back(static_cast<int>(f));
  }
  return factors;
}

}  // namespace interpole::model
