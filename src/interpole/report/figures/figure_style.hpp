// How figures look: actions are told apart by colour, hatching and marker (as in reports: palette.hpp),
// states by colour and dash, and everything by its name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpole/report/drawing/drawing.hpp"

namespace interpole::report {

inline constexpr double kTitleSize = 17.0;
inline constexpr double kNormal = 12.0;
inline constexpr double kSmallText = 10.5;
inline constexpr double kMargin = 24.0;  // of the page

// Okabe and Ito's hues, the pale ones deepened to stand out on white.
Colour palette_colour(int index);

// A convex region in the action's tint and hatching. Hatching is drawn as lines cut to the region: every
// program that shows the file shows it alike.
void fill_region(Drawing& drawing, const std::vector<Point>& corners, int action);

void draw_marker(Drawing& drawing, int action, Point at, double radius);

// One name beside a sample of what it names.
struct LegendEntry {
  std::function<void(Drawing& drawing, Point centre)> sample;  // at most 26 × 14 around the centre
  std::string name;
  int lines = 3;  // at most so many
};
LegendEntry region_entry(int action, const std::string& name);
LegendEntry marker_entry(int action, const std::string& name);
// One under the other; returns where the next thing below may begin.
double draw_legend(Drawing& drawing, Point top_left, double width, const std::vector<LegendEntry>& entries);
// Beside each other as far as they fit into `width`, then in the next row.
double draw_legend_rows(Drawing& drawing, Point top_left, double width,
                        const std::vector<LegendEntry>& entries);

// Title at the top; returns where the figure may begin.
double draw_title(Drawing& drawing, const std::string& title);
// "Inferred, not stated, beliefs." and more, from `top` on; sets the height of the drawing.
void finish_with_caption(Drawing& drawing, double top, const std::string& caption);

// Lines under each other; returns the baseline of the one that would follow.
double draw_lines(Drawing& drawing, Label first, const std::vector<std::string>& lines, Colour colour = kInk,
                  bool halo = false);
inline double line_height(double size) {
  return 1.25 * size;
}

// The text cut to one line of this width.
std::string on_one_line(const std::string& text, double width, double size, bool bold = false);

}  // namespace interpole::report
