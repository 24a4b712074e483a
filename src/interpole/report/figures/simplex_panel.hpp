// A triangle of beliefs in a figure: ticks in per cent on every side that point along the gridlines they
// belong to, names of states at corners and along sides, decision regions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/report/drawing/drawing.hpp"
#include "interpole/report/figures/region_name.hpp"
#include "interpole/report/geometry/slice.hpp"
#include "interpole/report/geometry/triangle.hpp"
#include "interpole/structure.hpp"

namespace interpole::report {

class SimplexPanel {
 public:
  // `font`: size of its text. Fills width_for(…) × height() from `top_left` on. Keeps a reference.
  SimplexPanel(const Slice& slice, Point top_left, double side, double font);
  static double width_for(double side, double font);
  double height() const;

  Point at(const Belief3& shares) const { return triangle_.at(shares); }
  Point at(std::span<const double> belief) const { return triangle_.at(slice_.shown(belief)); }
  std::vector<Point> outline(const std::vector<Belief3>& corners) const;
  double side() const { return triangle_.side; }

  // In the order in which they should be drawn. `band`: where the boundaries are uncertain (may be empty).
  void draw_regions(Drawing& drawing, const std::vector<BeliefPolygon>& regions) const;
  void draw_gridlines(Drawing& drawing) const;
  void draw_boundaries(Drawing& drawing, const std::vector<BeliefSegment>& boundaries,
                       const std::vector<std::vector<Belief3>>& band) const;
  void draw_frame(Drawing& drawing) const;
  void draw_names(Drawing& drawing, const Structure& structure, const std::vector<BeliefPolygon>& regions,
                  const std::vector<Disc>& discs, Hiding hiding) const;

 private:
  void draw_side(Drawing& drawing, int from) const;
  void draw_side_title(Drawing& drawing, int from) const;
  void draw_corner_names(Drawing& drawing) const;
  std::vector<std::string> name_lines(int corner) const;
  std::vector<std::string> title_lines(int from) const;
  double name_row() const;

  const Slice& slice_;
  double font_;
  Triangle triangle_;
};

inline constexpr double kBandOpacity = 0.22;
Pen boundary_pen();

}  // namespace interpole::report
