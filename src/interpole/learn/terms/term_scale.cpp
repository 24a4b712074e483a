#include "interpole/learn/terms/term_scale.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

constexpr double kSmallestTau = 0.03;
constexpr double kLargestTau = 10.0;
constexpr int kTauPoints = 48;

}  // namespace

TermScale best_scale(const Eigen::MatrixXd& precision, const Eigen::VectorXd& score) {
  const auto solver = optimize::symmetric_eigen(precision);
  const Eigen::VectorXd along = solver.vectors.transpose() * score;
  TermScale best{1.0, -INFINITY};
  for (int k = 0; k < kTauPoints; ++k) {
    const double tau = kSmallestTau * std::pow(kLargestTau / kSmallestTau, k / (kTauPoints - 1.0));
    double value = 0.0;
    for (Eigen::Index i = 0; i < along.size(); ++i) {
      const double data = std::max(solver.values[i], 0.0);
      value += 0.5 * along[i] * along[i] / (data + 1.0 / (tau * tau)) - 0.5 * std::log1p(tau * tau * data);
    }
    if (value > best.log_ratio) best = {tau, value};
  }
  return best;
}

}  // namespace interpole::learn
