// exp(Q t) of a generator Q (rates ≥ 0 off the diagonal, rows that sum to zero) for t ≥ 0, and the way back.
//
// With μ the largest rate of leaving in t/2^k and k such that μ ≤ 1, B = Q t/2^k + μI has no negative entry,
//
//   exp(Q t/2^k) = e^−μ Σ_n Bⁿ/n!,     squared k times,
//
// and rows are divided by their sums each time. Nothing is ever subtracted: entries are never negative, tiny
// ones keep their relative accuracy, and what no path leads to stays 0, for a millionth of a unit as for a
// million. The derivative is that of these very operations, in O(S³) each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace interpole::model {

class GeneratorExponential {
 public:
  explicit GeneratorExponential(std::size_t states) : states_(states) {}

  // Matrices are [s·S + s'].
  void evaluate(std::span<const double> Q, double t, std::span<double> result);
  // d_Q += (∂ result/∂ Q)ᵀ d_result, of the last evaluate(). Entries of Q are taken as free numbers.
  void pull_back(std::span<const double> d_result, std::span<double> d_Q);

 private:
  void multiply(const double* x, const double* y, double* product) const;

  std::size_t states_;
  double scaled_ = 0.0;  // t/2^k
  double shift_ = 0.0;   // μ
  std::vector<double> B_;
  std::vector<double> horner_;   // Y_0 … Y_N, Y_{n−1} = I + B Y_n/n
  std::vector<double> squares_;  // of exp(Q t/2^k): the matrix itself, its square, …
  std::vector<double> d_, d_next_;
};

}  // namespace interpole::model
