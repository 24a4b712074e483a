#include "interpole/learners/inverse_rl/reward_shaping.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace interpole::learners {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kMostDiscount = 0.99;  // I − T has no inverse; any discount makes coordinates

using Vector = Eigen::VectorXd;

Matrix remainder(const Dynamics& dynamics, std::size_t action, std::size_t S, double discount) {
  const auto size = static_cast<Eigen::Index>(S);
  const Eigen::Map<const Matrix> T(&dynamics.transition[action * S * S], size, size);
  return Matrix::Identity(size, size) - discount * T;
}

}  // namespace

RewardShaping::RewardShaping(const Structure& structure, double discount)
    : structure_(structure), discount_(std::min(discount, kMostDiscount)), S_(structure.states.size()) {
  for (std::size_t a = structure.actions.size(); a-- > 0;) {
    if (ends(a)) without_ = a;  // φ is then simply its reward
  }
}

bool RewardShaping::ends(std::size_t action) const {
  return structure_.is_terminal(static_cast<int>(action));
}

std::size_t RewardShaping::place(std::size_t action) const {
  if (action == without_) return 0;
  return (action < without_ ? action + 1 : action) * S_;
}

std::vector<double> RewardShaping::rewards(const Dynamics& dynamics, std::span<const double> x) const {
  std::vector<double> rewards(x.size());
  for (std::size_t a = 0; a < structure_.actions.size(); ++a) {
    for (std::size_t s = 0; s < S_; ++s) {
      double sum = x[s] + (a == without_ ? 0.0 : x[place(a) + s]);
      for (std::size_t to = 0; to < S_ && !ends(a); ++to) {
        sum -= discount_ * dynamics.transition[(a * S_ + s) * S_ + to] * x[to];
      }
      rewards[a * S_ + s] = sum;
    }
  }
  return rewards;
}

std::vector<double> RewardShaping::coordinates(const Dynamics& dynamics,
                                               std::span<const double> rewards) const {
  const auto size = static_cast<Eigen::Index>(S_);
  std::vector<double> x(rewards.size(), 0.0);
  const Eigen::Map<const Vector> own(&rewards[without_ * S_], size);
  Eigen::Map<Vector> phi(x.data(), size);
  phi = ends(without_) ? Vector(own)
                       : Vector(remainder(dynamics, without_, S_, discount_).partialPivLu().solve(own));
  const std::vector<double> of_phi = this->rewards(dynamics, x);
  for (std::size_t a = 0; a < structure_.actions.size(); ++a) {
    for (std::size_t s = 0; s < S_ && a != without_; ++s) {
      x[place(a) + s] = rewards[a * S_ + s] - of_phi[a * S_ + s];
    }
  }
  return x;
}

double RewardShaping::pull_back(const Dynamics& dynamics, std::span<const double> x,
                                std::span<const double> by_reward, std::span<double> d_x,
                                Dynamics& by_dynamics) const {
  for (std::size_t a = 0; a < structure_.actions.size(); ++a) {
    for (std::size_t s = 0; s < S_; ++s) {
      const double weight = by_reward[a * S_ + s];
      d_x[s] += weight;
      if (a != without_) d_x[place(a) + s] += weight;
      for (std::size_t to = 0; to < S_ && !ends(a); ++to) {
        const std::size_t move = (a * S_ + s) * S_ + to;
        d_x[to] -= discount_ * dynamics.transition[move] * weight;
        by_dynamics.transition[move] -= discount_ * x[to] * weight;
      }
    }
  }
  if (ends(without_)) return 0.0;
  const Eigen::PartialPivLU<Matrix> factors(remainder(dynamics, without_, S_, discount_));
  const Matrix inverse = factors.inverse();
  for (std::size_t from = 0; from < S_; ++from) {
    for (std::size_t to = 0; to < S_; ++to) {
      by_dynamics.transition[(without_ * S_ + from) * S_ + to] -=
          discount_ * inverse(static_cast<Eigen::Index>(to), static_cast<Eigen::Index>(from));
    }
  }
  return std::log(std::abs(factors.determinant()));
}

// Σ_a ‖ρ_a + B_a φ‖² / sd² with B_a = I − γ T_a is quadratic in φ: normal, with precision Σ B_aᵀ B_a / sd²
// and a mean that solves Σ B_aᵀ B_a φ = −Σ B_aᵀ ρ_a.
double RewardShaping::redraw(const Dynamics& dynamics, double sd, base::RandomStream& random,
                             std::span<double> x) const {
  const auto size = static_cast<Eigen::Index>(S_);
  Matrix precision = Matrix::Zero(size, size);
  Vector pull = Vector::Zero(size);
  for (std::size_t a = 0; a < structure_.actions.size(); ++a) {
    const Matrix B = ends(a) ? Matrix(Matrix::Identity(size, size)) : remainder(dynamics, a, S_, discount_);
    precision += B.transpose() * B;
    if (a != without_) pull -= B.transpose() * Eigen::Map<const Vector>(&x[place(a)], size);
  }
  const Eigen::LLT<Matrix> root(precision);
  const Vector mean = root.solve(pull);
  Eigen::Map<Vector> phi(x.data(), size);
  const auto square = [&] { return (root.matrixU() * (phi - mean)).squaredNorm() / (sd * sd); };
  const double before = square();
  Vector noise(size);
  for (double& z : noise) z = sd * random.normal();
  phi = mean + root.matrixU().solve(noise);
  return 0.5 * (before - square());
}

}  // namespace interpole::learners
