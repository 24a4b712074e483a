#include "interpole/explain/checks/joint_chi_square.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/optimize/symmetric.hpp"

namespace interpole::explain {
namespace {

// Directions of which fitting leaves less than this share of the variance are known too badly to be judged.
constexpr double kLeastLeft = 0.25;
constexpr double kSingular = 1e-8;

double series(double a, double x) {
  double term = 1.0 / a;
  double sum = term;
  for (int k = 1; k < 10000 && term > 1e-17 * sum; ++k) sum += term *= x / (a + k);
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

// Lentz's evaluation of the continued fraction of Γ(a, x)/Γ(a).
double fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1.0 - a;
  double c = 1.0 / kTiny;
  double d = 1.0 / b;
  double h = d;
  for (int i = 1; i < 10000; ++i) {
    const double an = -i * (i - a);
    b += 2.0;
    d = an * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1.0 / d;
    h *= d * c;
    if (std::abs(d * c - 1.0) < 1e-15) break;
  }
  return h * std::exp(a * std::log(x) - x - std::lgamma(a));
}

}  // namespace

double chi_square_tail(double x, int degrees) {
  if (degrees <= 0 || x <= 0.0) return 1.0;
  const double a = 0.5 * degrees;
  const double half = 0.5 * x;
  return half < a + 1.0 ? 1.0 - series(a, half) : fraction(a, half);
}

JointChiSquare joint_chi_square(const Eigen::VectorXd& differences, const Eigen::MatrixXd& chance,
                                const Eigen::MatrixXd& fitted, const std::vector<int>& used) {
  JointChiSquare test;
  const Eigen::MatrixXd taken = fitted * fitted.transpose();
  test.deviation = (chance - taken).diagonal().cwiseMax(0.0).cwiseSqrt();
  if (used.empty()) return test;
  // In units of each sum's own standard deviation, so that no unit decides what is singular.
  const Eigen::VectorXd unit = chance.diagonal()(used).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = unit.asDiagonal() * Eigen::MatrixXd(chance(used, used)) * unit.asDiagonal();
  const auto eigen = optimize::symmetric_eigen(scaled);
  const auto from = std::count_if(eigen.values.begin(), eigen.values.end(), [&](double value) {
    return value <= kSingular * eigen.values[eigen.values.size() - 1];
  });
  const auto rank = eigen.values.size() - from;
  const Eigen::MatrixXd whiten = eigen.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal() *
                                 eigen.vectors.rightCols(rank).transpose() * unit.asDiagonal();
  const Eigen::MatrixXd fitted_white = whiten * Eigen::MatrixXd(fitted(used, Eigen::all));
  const Eigen::VectorXd white = whiten * Eigen::VectorXd(differences(used));
  const auto left = optimize::symmetric_eigen(Eigen::MatrixXd::Identity(rank, rank) -
                                              fitted_white * fitted_white.transpose());
  for (int i = 0; i < rank; ++i) {
    if (left.values[i] < kLeastLeft) continue;
    const double z = left.vectors.col(i).dot(white);
    test.statistic += z * z / left.values[i];
    ++test.degrees;
  }
  test.p_value = chi_square_tail(test.statistic, test.degrees);
  return test;
}

}  // namespace interpole::explain
