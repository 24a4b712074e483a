#include "interpole/evaluate/paper/over_datasets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace interpole::evaluate {
namespace {

constexpr double kCoverage = 0.95;

// P(|T| < t) with θ = atan(t/√ν): a finite sum over powers of cos θ, for odd ν and for even ν.
double coverage_of(double theta, int degrees) {
  const double sine = std::sin(theta);
  const double cosine = std::cos(theta);
  const bool odd = degrees % 2 != 0;
  double term = odd ? cosine : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (int k = odd ? 3 : 2; k < degrees; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  return odd ? 2.0 / std::numbers::pi * (theta + sine * sum) : sine * sum;
}

}  // namespace

double student_t(double coverage, int degrees_of_freedom) {
  double low = 0.0;
  double high = std::numbers::pi / 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (coverage_of(middle, degrees_of_freedom) < coverage ? low : high) = middle;
  }
  return std::tan((low + high) / 2) * std::sqrt(static_cast<double>(degrees_of_freedom));
}

OverDatasets over_datasets(std::vector<double> values, double least, double most) {
  OverDatasets result;
  result.count = static_cast<int>(values.size());
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  result.lowest = values.front();
  result.highest = values.back();
  result.median = values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  const double mean = sum / count;
  result.mean = mean;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  result.deviation = std::sqrt(squares / (count - 1.0));
  const double reach = student_t(kCoverage, result.count - 1) * *result.deviation / std::sqrt(count);
  result.interval = Interval{std::max(least, mean - reach), std::min(most, mean + reach)};
  return result;
}

}  // namespace interpole::evaluate
