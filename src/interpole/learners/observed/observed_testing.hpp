// For tests: what a policy leads to on the observed process, written down once more for any kind of number
// and by other means (many sweeps instead of a linear system, no adjoints). With complex numbers it gives
// derivatives to the last digits.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "interpole/learners/observed/observed_process.hpp"

namespace interpole::testing {

using Complex = std::complex<double>;

// Decisions per record in each context under a policy [x·A + a].
template <class T>
std::vector<T> swept_visits(const learners::ObservedProcess& process, const std::vector<T>& policy,
                            int sweeps) {
  const int X = process.contexts, A = process.actions;
  std::vector<T> here(X, T(0)), total(X, T(0));
  here[0] = T(1);
  for (int k = 0; k < sweeps; ++k) {
    std::vector<T> next(X, T(0));
    for (int x = 0; x < X; ++x) {
      const T decided = here[x] * (1.0 - process.leaving[x]);
      total[x] += decided;
      for (int a = 0; a < A; ++a) {
        if (process.terminal[a] != 0) continue;
        for (int z = 0; z < process.outcomes; ++z) {
          next[process.context_of(a, z)] +=
              decided * policy[x * A + a] *
              process.chances[(static_cast<std::size_t>(x) * A + a) * process.outcomes + z];
        }
      }
    }
    here = next;
  }
  return total;
}

// exp θ / Σ exp θ times a weight for each action, [x·A + a].
template <class T>
std::vector<T> free_policy(const std::vector<T>& theta, const std::vector<double>& overall) {
  const std::size_t A = overall.size();
  std::vector<T> policy(theta.size());
  for (std::size_t row = 0; row < theta.size(); row += A) {
    T sum(0);
    for (std::size_t a = 0; a < A; ++a) sum += policy[row + a] = overall[a] * std::exp(theta[row + a]);
    for (std::size_t a = 0; a < A; ++a) policy[row + a] /= sum;
  }
  return policy;
}

// The largest difference between a gradient and the complex step of a function of complex numbers, relative
// to its largest component.
inline double complex_step_error(const std::function<Complex(const std::vector<Complex>&)>& function,
                                 const std::vector<double>& x, const std::vector<double>& gradient) {
  constexpr double kStep = 1e-30;
  double worst = 0.0, largest = 1e-300;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<Complex> point(x.begin(), x.end());
    point[i] += Complex(0.0, kStep);
    worst = std::max(worst, std::abs(function(point).imag() / kStep - gradient[i]));
    largest = std::max(largest, std::abs(gradient[i]));
  }
  return worst / largest;
}

}  // namespace interpole::testing
