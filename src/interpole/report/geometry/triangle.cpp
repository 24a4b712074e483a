#include "interpole/report/geometry/triangle.hpp"

#include <numbers>

namespace interpole::report {

double Triangle::height() const {
  return side * std::numbers::sqrt3 / 2;
}

Point Triangle::at(std::span<const double> belief) const {
  return {left.x + side * (belief[1] + belief[2] / 2), left.y - height() * belief[2]};
}

}  // namespace interpole::report
