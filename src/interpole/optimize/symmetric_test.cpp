#include "interpole/optimize/symmetric.hpp"

#include <gtest/gtest.h>

#include "interpole/base/random.hpp"

namespace interpole::optimize {
namespace {

Eigen::MatrixXd some_covariance(int size) {
  base::RandomStream random(3, size);
  Eigen::MatrixXd root(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) root(i, j) = random.normal();
  }
  return root * root.transpose() + Eigen::MatrixXd::Identity(size, size);
}

TEST(Symmetric, IsPutTogetherFromWhatItWasTakenApartInto) {
  for (const int size : {1, 2, 7}) {
    const Eigen::MatrixXd matrix = some_covariance(size);
    const SymmetricEigen parts = symmetric_eigen(matrix);
    const Eigen::MatrixXd again = parts.vectors * parts.values.asDiagonal() * parts.vectors.transpose();
    EXPECT_LT((again - matrix).cwiseAbs().maxCoeff(), 1e-12);
    for (int i = 1; i < size; ++i) EXPECT_LE(parts.values[i - 1], parts.values[i]);
    EXPECT_LT((symmetric_eigenvalues(matrix) - parts.values).cwiseAbs().maxCoeff(), 1e-12);
    const Eigen::MatrixXd factor = cholesky_factor(matrix);
    EXPECT_LT((factor * factor.transpose() - matrix).cwiseAbs().maxCoeff(), 1e-12);
    for (int i = 0; i < size; ++i) {
      for (int j = i + 1; j < size; ++j) EXPECT_EQ(factor(i, j), 0.0);
    }
  }
}

TEST(Symmetric, HasAFactorWhereItIsSingular) {
  Eigen::MatrixXd matrix = some_covariance(5);
  matrix.row(2).setZero();
  matrix.col(2).setZero();
  const Eigen::MatrixXd factor = singular_cholesky_factor(matrix);
  EXPECT_LT((factor * factor.transpose() - matrix).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(factor(1, 3), 0.0);
}

}  // namespace
}  // namespace interpole::optimize
