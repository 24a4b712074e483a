// Symmetric matrices taken apart. In one place because compiling it anew wherever it is wanted takes long.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace interpole::optimize {

// M = vectors · diag(values) · vectorsᵀ, values ascending.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);
// In rising order, at a fraction of the cost of the vectors.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

// Of a positive definite matrix; nothing if it is not.
std::optional<Eigen::MatrixXd> definite_solve(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);
std::optional<double> definite_log_determinant(const Eigen::MatrixXd& matrix);

// L with M = L Lᵀ, lower triangular.
Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& matrix);
// The same where eigenvalues are zero, or below it by rounding.
Eigen::MatrixXd singular_cholesky_factor(const Eigen::MatrixXd& matrix);

}  // namespace interpole::optimize
