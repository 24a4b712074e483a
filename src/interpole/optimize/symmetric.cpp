#include "interpole/optimize/symmetric.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace interpole::optimize {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<Eigen::MatrixXd> definite_solve(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  const Eigen::LLT<Eigen::MatrixXd> parts(matrix);
  if (parts.info() != Eigen::Success) return std::nullopt;
  return parts.solve(right);
}

std::optional<double> definite_log_determinant(const Eigen::MatrixXd& matrix) {
  const Eigen::LLT<Eigen::MatrixXd> parts(matrix);
  if (parts.info() != Eigen::Success) return std::nullopt;
  return 2.0 * parts.matrixLLT().diagonal().array().log().sum();
}

Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& matrix) {
  return matrix.llt().matrixL();
}

Eigen::MatrixXd singular_cholesky_factor(const Eigen::MatrixXd& matrix) {
  const SymmetricEigen parts = symmetric_eigen(matrix);
  const Eigen::MatrixXd root = parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Eigen::MatrixXd upper = root.transpose().householderQr().matrixQR().triangularView<Eigen::Upper>();
  return upper.transpose();
}

}  // namespace interpole::optimize
