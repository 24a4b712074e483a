// T_a(Δ) of a structure whose visits have times, and the way back to the rows of Dynamics::transition that it
// was made of. Scratch memory is kept from call to call.
#pragma once

#include <span>
#include <vector>

#include "interpole/model/time/generator_exponential.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {

class GapTransition {
 public:
  // Keeps a reference to the structure.
  explicit GapTransition(const Structure& structure);

  // [s·S + s']; the gap in the structure's unit. A gap of 0: the identity.
  void evaluate(const Dynamics& dynamics, int action, double gap, std::span<double> transition);
  // gradient += (∂ transition/∂ dynamics)ᵀ d_transition, of the last evaluate(). Entries of rows are taken as
  // free numbers.
  void pull_back(const Dynamics& dynamics, std::span<const double> d_transition, Dynamics& gradient);

 private:
  void evaluate_steps(const Dynamics& dynamics, std::span<double> transition);
  void pull_back_steps(const Dynamics& dynamics, std::span<const double> d_transition, Dynamics& gradient);

  const Structure& structure_;
  GeneratorExponential exponential_;
  int action_ = 0;
  double gap_ = 0.0;
  std::vector<double> rates_, d_rates_;
  std::vector<double> products_;  // T_a, T_a T_wait, T_a T_wait², …
  std::vector<double> d_, d_next_;
};

// The rates of action a: T(s'|s)/(T(s|s)·typical gap), rows that sum to zero.
void fill_rates(const Structure& structure, const Dynamics& dynamics, int action, std::span<double> rates);

}  // namespace interpole::model
