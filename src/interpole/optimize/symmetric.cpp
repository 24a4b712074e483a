#include "interpole/optimize/symmetric.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace interpole::optimize {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
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
