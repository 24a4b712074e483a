// The triangle of beliefs over three states. Certainty of the first state is the lower left corner, of the
// second the lower right, of the third the top.
#pragma once

#include <span>

#include "interpole/report/drawing/point.hpp"

namespace interpole::report {

struct Triangle {
  Point left;         // lower left corner
  double side = 0.0;  // length

  Point at(std::span<const double> belief) const;
  double height() const;
};

}  // namespace interpole::report
