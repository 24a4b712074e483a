#include "interpole/report/triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"

namespace interpole {
namespace {

// How wide a polygon is at the height of a point inside it.
double width_at(const std::vector<Point>& corners, double y) {
  double low = INFINITY;
  double high = -INFINITY;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % corners.size()];
    if ((a.y <= y) == (b.y <= y)) continue;
    const double x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high > low ? high - low : 0.0;
}

std::vector<Point> outline(const Triangle& triangle, const BeliefPolygon& region) {
  std::vector<Point> corners;
  for (const Belief3& corner : region.corners) corners.push_back(triangle.at(corner));
  return corners;
}

// Ticks along a side show the belief in the state it leads to; the side's label stands outside.
void draw_ticks(Svg& svg, const Triangle& triangle, int from, int to) {
  constexpr std::array<Point, 3> kOutward = {Point{0, 1}, Point{0.866, -0.5}, Point{-0.866, -0.5}};
  const Point out = kOutward[from];
  for (int tick = 1; tick < 5; ++tick) {
    Belief3 belief{};
    belief[to] = tick / 5.0;
    belief[from] = 1.0 - belief[to];
    const Point at = triangle.at(belief);
    svg.line(at, {at.x + 6 * out.x, at.y + 6 * out.y}, "axis");
    const Anchor anchor = from == 0 ? Anchor::kMiddle : from == 1 ? Anchor::kStart : Anchor::kEnd;
    svg.text({at.x + 11 * out.x, at.y + 11 * out.y + (from == 0 ? 10 : 4)}, anchor, "small",
             percent(belief[to]));
  }
}

}  // namespace

double Triangle::height() const {
  return side * std::numbers::sqrt3 / 2;
}

Point Triangle::at(std::span<const double> belief) const {
  return {left.x + side * (belief[1] + belief[2] / 2), left.y - height() * belief[2]};
}

void draw_triangle_regions(Svg& svg, const Triangle& triangle, const Structure& structure,
                           const std::vector<BeliefPolygon>& regions,
                           const std::vector<BeliefSegment>& boundaries) {
  for (const BeliefPolygon& region : regions) {
    svg.open_with_hint(structure.actions[region.action]);
    svg.polygon(outline(triangle, region), "region", action_fill(region.action));
    svg.close();
  }
  for (const BeliefSegment& boundary : boundaries) {
    svg.line(triangle.at(boundary.from), triangle.at(boundary.to), "boundary");
  }
}

void draw_triangle_names(Svg& svg, const Triangle& triangle, const Structure& structure,
                         const std::vector<BeliefPolygon>& regions) {
  for (const BeliefPolygon& region : regions) {
    const Point centre = triangle.at(centre_of(region));
    draw_name(svg, centre, structure.actions[region.action],
              width_at(outline(triangle, region), centre.y) - 6);
  }
}

void draw_triangle_frame(Svg& svg, const Triangle& triangle, const Structure& structure) {
  const Point right = triangle.at(Belief3{0, 1, 0});
  const Point top = triangle.at(Belief3{0, 0, 1});
  svg.polygon({triangle.left, right, top}, "axis", "none");
  for (int from = 0; from < 3; ++from) draw_ticks(svg, triangle, from, (from + 1) % 3);
  const double room = triangle.side / 2 + 20;
  const auto name = [&](int state) { return shortened(structure.states[state], room, 13); };
  svg.text({triangle.left.x - 30, triangle.left.y + 40}, Anchor::kStart, "strong", name(0));
  svg.text({right.x + 30, right.y + 40}, Anchor::kEnd, "strong", name(1));
  svg.text({top.x, top.y - 12}, Anchor::kMiddle, "strong", name(2));
}

}  // namespace interpole
