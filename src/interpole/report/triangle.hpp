// The triangle of beliefs over three states: frame, ticks, decision regions. Certainty of the first state is
// the lower left corner, of the second the lower right, of the third the top.
#pragma once

#include <span>

#include "interpole/model/parameters.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/svg.hpp"

namespace interpole {

struct Triangle {
  Point left;         // lower left corner
  double side = 0.0;  // length

  Point at(std::span<const double> belief) const;
  double height() const;
};

// Regions with their patterns and the boundaries between them.
void draw_triangle_regions(Svg& svg, const Triangle& triangle, const Structure& structure,
                           const std::vector<BeliefPolygon>& regions,
                           const std::vector<BeliefSegment>& boundaries);

// The names of the regions' actions, to be drawn over whatever else lies on the regions.
void draw_triangle_names(Svg& svg, const Triangle& triangle, const Structure& structure,
                         const std::vector<BeliefPolygon>& regions);

// Outline, ticks in per cent of the corner a side leads to, names of states at the corners.
void draw_triangle_frame(Svg& svg, const Triangle& triangle, const Structure& structure);

}  // namespace interpole
