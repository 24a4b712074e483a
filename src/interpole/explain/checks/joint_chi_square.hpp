// Whether sums that should be zero are zero together, given that the model's numbers were fitted to the same
// data.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace interpole::explain {

// P(χ² with `degrees` of freedom > x).
double chi_square_tail(double x, int degrees);

struct JointChiSquare {
  double statistic = 0.0;
  int degrees = 0;  // directions that the fit left free to differ; 0: nothing can be tested
  double p_value = 1.0;
  Eigen::VectorXd deviation;  // standard error of every sum, less what the fit took away
};

// `differences`: observed less expected sums; `chance`: their covariance were the numbers known; `fitted`:
// how the expected sums change with every direction of the posterior, one standard deviation each, in
// columns; `used`: the sums that are tested. Fitting takes fitted·fittedᵀ away from the covariance.
// Directions that are fitted (almost) whole say nothing and are left out.
JointChiSquare joint_chi_square(const Eigen::VectorXd& differences, const Eigen::MatrixXd& chance,
                                const Eigen::MatrixXd& fitted, const std::vector<int>& used);

}  // namespace interpole::explain
