// The scale τ of a term's weights by the evidence, where the data's say on the weights is a normal one.
#pragma once

#include <Eigen/Core>

namespace interpole::learn {

struct TermScale {
  double tau = 1.0;
  double log_ratio = 0.0;  // of the evidence: with the weights, each Normal(0, τ²), over weights of zero
};

// τ of the highest evidence. `precision` and `score`: of the log-likelihood of the weights w around zero,
// score·w − ½ wᵀ precision w, everything else being integrated out.
TermScale best_scale(const Eigen::MatrixXd& precision, const Eigen::VectorXd& score);

}  // namespace interpole::learn
