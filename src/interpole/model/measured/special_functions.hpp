// Functions that densities need and the standard library lacks.
#pragma once

namespace interpole::model {

// log Φ(x), Φ the distribution function of the standard normal; finite for every finite x.
double log_normal_probability(double x);
// φ(x)/Φ(x), its derivative.
double normal_hazard(double x);

// d/dx log Γ(x), x > 0.
double digamma(double x);

}  // namespace interpole::model
