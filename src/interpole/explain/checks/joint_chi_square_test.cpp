#include "interpole/explain/checks/joint_chi_square.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::explain {
namespace {

Eigen::MatrixXd normal_matrix(int rows, int columns, base::RandomStream& random) {
  Eigen::MatrixXd matrix(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) matrix(i, j) = random.normal();
  }
  return matrix;
}

TEST(ChiSquareTail, IsThatOfTables) {
  EXPECT_NEAR(chi_square_tail(3.841459, 1), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(18.307038, 10), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(124.342113, 100), 0.05, 1e-6);
  EXPECT_NEAR(chi_square_tail(10.827566, 1), 0.001, 1e-8);
  EXPECT_NEAR(chi_square_tail(2.0, 2), std::exp(-1.0), 1e-12);
  EXPECT_NEAR(chi_square_tail(1400.0, 2) / std::exp(-700.0), 1.0, 1e-9);
  EXPECT_EQ(chi_square_tail(0.0, 3), 1.0);
  EXPECT_EQ(chi_square_tail(1.0, 0), 1.0);
}

TEST(JointChiSquare, IsTheSumOfSquaresOfIndependentSums) {
  const Eigen::VectorXd differences = Eigen::Vector3d(2.0, -6.0, 20.0);
  const Eigen::MatrixXd chance = Eigen::Vector3d(4.0, 9.0, 100.0).asDiagonal();
  const auto found = joint_chi_square(differences, chance, Eigen::MatrixXd::Zero(3, 0), {0, 1, 2});
  EXPECT_EQ(found.degrees, 3);
  EXPECT_NEAR(found.statistic, 1.0 + 4.0 + 4.0, 1e-12);
  EXPECT_NEAR(found.deviation[2], 10.0, 1e-12);
}

TEST(JointChiSquare, CountsSumsThatSayTheSameOnce) {
  Eigen::MatrixXd chance(2, 2);
  chance << 25.0, -25.0, -25.0, 25.0;
  const auto found =
      joint_chi_square(Eigen::Vector2d(10.0, -10.0), chance, Eigen::MatrixXd::Zero(2, 0), {0, 1});
  EXPECT_EQ(found.degrees, 1);
  EXPECT_NEAR(found.statistic, 4.0, 1e-9);
}

TEST(JointChiSquare, LeavesOutWhatWasFittedAndWhatIsNotUsed) {
  const Eigen::MatrixXd chance = Eigen::Vector3d(100.0, 100.0, 1.0).asDiagonal();
  Eigen::MatrixXd fitted = Eigen::MatrixXd::Zero(3, 1);
  fitted(0, 0) = 9.9;
  const auto found = joint_chi_square(Eigen::Vector3d(1.0, 10.0, 5.0), chance, fitted, {0, 1});
  EXPECT_EQ(found.degrees, 1);
  EXPECT_NEAR(found.statistic, 1.0, 1e-9);
  EXPECT_NEAR(found.deviation[0], std::sqrt(100.0 - 9.9 * 9.9), 1e-9);
}

TEST(JointChiSquare, DoesNotDependOnUnits) {
  base::RandomStream random(3, 1);
  const Eigen::MatrixXd root = normal_matrix(4, 8, random);
  const Eigen::MatrixXd chance = root * root.transpose();
  const Eigen::MatrixXd fitted = 0.2 * normal_matrix(4, 2, random);
  const Eigen::VectorXd differences = normal_matrix(4, 1, random);
  const Eigen::MatrixXd units = Eigen::Vector4d(1.0, 100.0, 0.01, 7.0).asDiagonal();
  const auto plain = joint_chi_square(differences, chance, fitted, {0, 1, 2, 3});
  const auto scaled =
      joint_chi_square(units * differences, units * chance * units, units * fitted, {0, 1, 2, 3});
  EXPECT_EQ(plain.degrees, scaled.degrees);
  EXPECT_NEAR(plain.statistic, scaled.statistic, 1e-8 * plain.statistic);
}

// Residuals of a linear regression, of which some directions were fitted.
TEST(JointChiSquare, HasTheRightTailAfterAFit) {
  base::RandomStream random(7, 1);
  constexpr int kData = 60;
  const Eigen::MatrixXd looked_at = normal_matrix(6, kData, random);
  const Eigen::MatrixXd design = normal_matrix(kData, 10, random);
  const auto eigen = optimize::symmetric_eigen(design.transpose() * design);
  const Eigen::MatrixXd covariance =
      eigen.vectors * eigen.values.cwiseInverse().asDiagonal() * eigen.vectors.transpose();
  const Eigen::MatrixXd fitted = looked_at * design * optimize::cholesky_factor(covariance);
  int beyond = 0;
  constexpr int kSets = 4000;
  for (int set = 0; set < kSets; ++set) {
    const Eigen::VectorXd data = normal_matrix(kData, 1, random);
    const Eigen::VectorXd residual = data - design * (covariance * (design.transpose() * data));
    beyond +=
        joint_chi_square(looked_at * residual, looked_at * looked_at.transpose(), fitted, {0, 1, 2, 3, 4, 5})
            .p_value < 0.05;
  }
  EXPECT_NEAR(beyond / static_cast<double>(kSets), 0.05, 4.0 * std::sqrt(0.05 * 0.95 / kSets));
}

}  // namespace
}  // namespace interpole::explain
