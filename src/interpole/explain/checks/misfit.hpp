// How much of the misfit that the checks measure is beyond chance (docs/mathematics/misfit.md).
#pragma once

#include <vector>

#include "interpole/model_checks.hpp"

namespace interpole::explain {

// The least noncentrality of a χ² with `degrees` of freedom under which a value as high as `statistic` has a
// chance of at least `doubt`; 0 where chance alone gives it as often. By Abdel-Aty's normal approximation of
// the cube root, which is Wilson's and Hilferty's where there is no noncentrality.
double least_noncentrality(double statistic, int degrees, double doubt);

// Of all checks that are sums of decisions, but that of the order of records, the largest that they prove
// together: in nine of ten right models it is zero. Twice the nats by which the best model with one more kind
// of term would explain the decisions better.
double proven_misfit(const std::vector<ModelCheck>& checks);

}  // namespace interpole::explain
