// log_density() of many values of one factor in all states at once: the same numbers up to rounding, with
// what does not depend on the value worked out once for each state. The kernels' part of the families.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/model/measured/families.hpp"

namespace interpole::model {

// Distinct values of a factor, and their logarithms where its family asks for them (log-normal). Those at
// limits of detection are the first and the last; without limits values are in the order in which they were
// met, so that whoever goes through the data goes through their densities from front to back.
struct FactorValues {
  std::vector<double> values;
  std::vector<double> logs;

  // From values as they were added, each as often as it was met, to distinct ones. Returns where each is.
  std::vector<std::int32_t> finish(const MeasuredFactor& factor);
};

// Parameters of state s begin at parameters[s·columns]. densities[v·S + s] = log p(value v) in state s.
void log_densities(const MeasuredFactor& factor, const FactorValues& of, const double* parameters,
                   std::size_t columns, std::size_t S, double* densities);

// gradient (as parameters) += Σ_v d_densities[v·S + s] ∂ log p(value v)/∂ parameters of s.
void pull_back_densities(const MeasuredFactor& factor, const FactorValues& of, const double* parameters,
                         std::size_t columns, std::size_t S, const double* d_densities, double* gradient);

}  // namespace interpole::model
