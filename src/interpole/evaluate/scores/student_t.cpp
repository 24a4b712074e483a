#include "interpole/evaluate/scores/student_t.hpp"

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

double reach_of_mean(double standard_error, int count) {
  return student_t(kCoverage, count - 1) * standard_error;
}

}  // namespace interpole::evaluate
