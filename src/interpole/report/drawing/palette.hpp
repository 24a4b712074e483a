// How actions are told apart in every drawing, never by colour alone: a line dash and a marker of their own.
#pragma once

#include <vector>

#include "interpole/report/drawing/point.hpp"

namespace interpole::report {

// Lengths of line and gap of line number `index`; none: solid.
std::vector<double> dash_lengths(int index);

// The corners of an action's marker; none: it is a disc.
std::vector<Point> marker_corners(int action, Point at, double radius);

}  // namespace interpole::report
