// Where in the space of beliefs each action is the likeliest. π(a|b) falls with the distance of b from μ_a,
// so an action's region is the part of the simplex nearer to its mean than to any other (a Voronoi cell), and
// the boundary between two actions is the perpendicular bisector of their means, whatever η > 0
// is. Means may lie outside the simplex; an action may have no region. Of actions with the same mean the
// first has the region.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::report {

// Positive where belief b is nearer to the mean of `a` than to that of `c`: (μ_a − μ_c)·(2b − μ_a − μ_c).
double nearer_by(const Policy& policy, int a, int c, std::span<const double> belief);

// Two states: the belief is one number, that in the second state. Ordered from 0 to 1, without gaps.
struct BeliefInterval {
  int action = 0;
  double low = 0.0;
  double high = 1.0;
};
std::vector<BeliefInterval> decision_intervals(const Policy& policy);

// Three states: the simplex is a triangle.
using Belief3 = std::array<double, 3>;

// How strongly each action is preferred at the corners of a triangle of beliefs: 2 μ_a·b − |μ_a|², which is
// linear in b, so that three numbers say it everywhere (slice.hpp: triangles within larger simplices).
using CornerScores = std::vector<Belief3>;
CornerScores corner_scores(const Policy& policy);

struct BeliefPolygon {
  int action = 0;
  std::vector<Belief3> corners;  // in order around the polygon
};
std::vector<BeliefPolygon> decision_polygons(const Policy& policy);
std::vector<BeliefPolygon> decision_polygons(const CornerScores& scores);

// The part of the bisector of two actions' means along which both are likelier than all others.
struct BeliefSegment {
  int first = 0;
  int second = 0;
  Belief3 from{};
  Belief3 to{};
};
std::vector<BeliefSegment> decision_boundaries(const CornerScores& scores);

// The part of a convex polygon where a value that is linear over the triangle, given at its corners, is ≥ 0.
std::vector<Belief3> clipped(const std::vector<Belief3>& polygon, const Belief3& value_at_corners);

// The polygon's share of the triangle's area.
double area_share(const BeliefPolygon& polygon);

}  // namespace interpole::report
