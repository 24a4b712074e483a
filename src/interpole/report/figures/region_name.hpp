// The name of a region, written inside it.
#pragma once

#include <string>
#include <vector>

#include "interpole/report/drawing/drawing.hpp"

namespace interpole::report {

// What a name may do to the discs it is written among.
enum class Hiding { kAsLittleAsPossible, kNothing };

// Writes the name, on up to three lines, where it fits into the convex polygon, lies on no other text and
// hides as little of the discs as possible. Returns whether there is room for it; if not, the legend has to
// do.
bool write_region_name(Drawing& drawing, const std::vector<Point>& polygon, const std::string& name,
                       double size, const std::vector<Disc>& discs,
                       Hiding hiding = Hiding::kAsLittleAsPossible);

}  // namespace interpole::report
