// Values drawn from measured factors, for simulations.
#pragma once

#include "interpole/base/random.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {

// As it would be recorded: at a limit of detection if it lies beyond it.
double draw_value(const MeasuredFactor& factor, const double* parameters, base::RandomStream& random);

// One value of each factor that the action yields, NaN of the others.
std::vector<double> draw_outcome(const Structure& structure, const Dynamics& dynamics, int action, int state,
                                 base::RandomStream& random);

}  // namespace interpole::model
