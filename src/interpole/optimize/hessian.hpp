// Second derivatives of an objective from differences of its exact gradient (docs/decisions/0010-hessian.md).
#pragma once

#include <span>
#include <vector>

#include "interpole/optimize/objective.hpp"

namespace interpole::optimize {

// Row by row, n × n, symmetric. Central differences: 2n gradients. Not finite where the objective is not
// defined within a step of x.
std::vector<double> hessian_by_differences(Objective& objective, std::span<const double> x,
                                           double step = 1e-5);

// The same from one side: n + 1 gradients, and wrong by about half a step times the third derivatives. For
// coordinates in which curvatures are about one.
std::vector<double> one_sided_hessian(Objective& objective, std::span<const double> x, double step = 1e-5);

// Of a sum whose parts know the variables of one block each (every variable is in one): the blocks are moved
// together, so that there are twice as many gradients as the largest has variables.
std::vector<double> hessian_by_blocks(Objective& objective, std::span<const double> x,
                                      const std::vector<std::vector<int>>& blocks, double step = 1e-5);

// The objective's own, if it has a cheaper way to them.
std::vector<double> hessian(Objective& objective, std::span<const double> x);

}  // namespace interpole::optimize
