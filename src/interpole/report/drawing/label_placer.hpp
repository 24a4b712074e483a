// Finds free places for small labels beside crowded points.
#pragma once

#include <string>
#include <vector>

#include "interpole/report/drawing/drawing.hpp"

namespace interpole::report {

class LabelPlacer {
 public:
  // Text already in the drawing is avoided, and so is what leaves `area` (low and high corner).
  LabelPlacer(const Drawing& drawing, Point low, Point high);

  void avoid(const TextBox& box) { taken_.push_back(box); }
  void avoid_if_possible(Point from, Point to) { lines_.push_back({from, to}); }

  // Writes the text near `at`, as near as is free, with a thin line to it if that is not near. Nothing if
  // there is no place within reach.
  bool write(Drawing& drawing, Point at, const std::string& text, double size, double nearest);

 private:
  struct Segment {
    Point from, to;
  };
  bool is_free(const TextBox& box) const;
  int lines_under(const TextBox& box) const;

  Point low_, high_;
  std::vector<TextBox> taken_;
  std::vector<Segment> lines_;
};

// Visits in few words: "1–3, 5, 8 …".
std::string visit_ranges(const std::vector<int>& visits);

}  // namespace interpole::report
