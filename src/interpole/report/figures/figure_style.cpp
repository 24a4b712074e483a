#include "interpole/report/figures/figure_style.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "interpole/report/drawing/palette.hpp"

namespace interpole::report {
namespace {

constexpr std::array<Colour, 7> kColours = {Colour{0, 114, 178},  Colour{213, 94, 0},  Colour{0, 158, 115},
                                            Colour{181, 87, 141}, Colour{201, 135, 0}, Colour{61, 159, 211},
                                            Colour{143, 134, 0}};
constexpr double kSampleWidth = 34.0;

// Families of parallel lines: direction in degrees, distance between them, and dashes (dots if short).
struct Hatching {
  double direction;
  double distance;
  bool dotted;
};
const std::array<std::vector<Hatching>, 7> kHatchings = {{
    {},
    {{45, 7, false}},
    {{0, 7, true}},
    {{135, 7, false}},
    {{0, 7, false}},
    {{90, 7, false}},
    {{45, 9, false}, {135, 9, false}},
}};

struct Reach {
  double low = INFINITY;
  double high = -INFINITY;
  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

// Where the line of points with across·p = c crosses a convex polygon, measured along it.
Reach crossing(const std::vector<Point>& corners, Point along, Point across, double c) {
  Reach reach;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point& p = corners[i];
    const Point& q = corners[(i + 1) % corners.size()];
    const double at_p = across.x * p.x + across.y * p.y - c;
    const double at_q = across.x * q.x + across.y * q.y - c;
    if ((at_p >= 0.0) == (at_q >= 0.0)) continue;
    const double share = at_p / (at_p - at_q);
    reach.include(along.x * (p.x + share * (q.x - p.x)) + along.y * (p.y + share * (q.y - p.y)));
  }
  return reach;
}

std::vector<std::vector<Point>> hatch_lines(const std::vector<Point>& corners, const Hatching& hatching) {
  constexpr double kDegree = 0.017453292519943295;
  const Point along{std::cos(hatching.direction * kDegree), -std::sin(hatching.direction * kDegree)};
  const Point across{-along.y, along.x};
  Reach reach;
  for (const Point& corner : corners) reach.include(across.x * corner.x + across.y * corner.y);
  std::vector<std::vector<Point>> lines;
  const double d = hatching.distance;
  int row = static_cast<int>(std::ceil(reach.low / d));
  for (; row * d < reach.high; ++row) {
    const Reach part = crossing(corners, along, across, row * d);
    if (!(part.high - part.low > 0.5)) continue;
    const auto at = [&](double x) {
      return Point{along.x * x + across.x * row * d, along.y * x + across.y * row * d};
    };
    if (!hatching.dotted) {
      lines.push_back({at(part.low), at(part.high)});
      continue;
    }
    const double offset = row % 2 == 0 ? 0.0 : d / 2;  // dots in quincunx
    for (double x = std::ceil((part.low + 1 - offset) / d) * d + offset; x < part.high - 1; x += d) {
      lines.push_back({at(x), at(x + 0.01)});
    }
  }
  return lines;
}

double entry_height(const LegendEntry& entry, double width) {
  const auto lines = broken_lines(entry.name, width - kSampleWidth, kSmallText, entry.lines);
  return line_height(kSmallText) * static_cast<double>(lines.size()) + 5;
}

void draw_entry(Drawing& drawing, Point top_left, double width, const LegendEntry& entry) {
  entry.sample(drawing, {top_left.x + 13, top_left.y + 8});
  draw_lines(drawing, {{top_left.x + kSampleWidth, top_left.y + 12}, "", kSmallText},
             broken_lines(entry.name, width - kSampleWidth, kSmallText, entry.lines));
}

}  // namespace

Colour palette_colour(int index) {
  return kColours[index % kColours.size()];
}

void fill_region(Drawing& drawing, const std::vector<Point>& corners, int action) {
  const Colour colour = palette_colour(action);
  drawing.polygon(corners, {lightened(colour, 0.13), {}, 1.0});
  for (const Hatching& hatching : kHatchings[action % kHatchings.size()]) {
    drawing.segments(hatch_lines(corners, hatching),
                     {lightened(colour, 0.5), hatching.dotted ? 1.8 : 0.8, {}});
  }
}

void draw_marker(Drawing& drawing, int action, Point at, double radius) {
  const Look look{palette_colour(action), Pen{kWhite, 0.8, {}}, 1.0};
  const auto corners = marker_corners(action, at, radius);
  if (corners.empty()) {
    drawing.disc(at, radius, look);
  } else {
    drawing.polygon(corners, look);
  }
}

LegendEntry region_entry(int action, const std::string& name) {
  return {[action](Drawing& drawing, Point at) {
            const std::vector<Point> corners = {
                {at.x - 13, at.y - 7}, {at.x + 13, at.y - 7}, {at.x + 13, at.y + 7}, {at.x - 13, at.y + 7}};
            fill_region(drawing, corners, action);
            drawing.polygon(corners, {{}, Pen{palette_colour(action), 0.8, {}}, 1.0});
          },
          name};
}

LegendEntry marker_entry(int action, const std::string& name) {
  return {[action](Drawing& drawing, Point at) { draw_marker(drawing, action, at, 4.5); }, name};
}

double draw_legend(Drawing& drawing, Point top_left, double width, const std::vector<LegendEntry>& entries) {
  double y = top_left.y;
  for (const LegendEntry& entry : entries) {
    draw_entry(drawing, {top_left.x, y}, width, entry);
    y += std::max(20.0, entry_height(entry, width));
  }
  return y;
}

double draw_legend_rows(Drawing& drawing, Point top_left, double width,
                        const std::vector<LegendEntry>& entries) {
  Point at = top_left;
  double row_height = 0.0;
  for (const LegendEntry& entry : entries) {
    const double wanted = std::min(width, kSampleWidth + label_width(entry.name, kSmallText) + 1);
    if (at.x > top_left.x && at.x + wanted > top_left.x + width) {
      at = {top_left.x, at.y + row_height};
      row_height = 0.0;
    }
    draw_entry(drawing, at, wanted, entry);
    row_height = std::max({row_height, 20.0, entry_height(entry, wanted)});
    at.x += wanted + 14;
  }
  return at.y + row_height;
}

double draw_title(Drawing& drawing, const std::string& title) {
  const auto lines = broken_lines(title, drawing.width() - 2 * kMargin, kTitleSize, 2, true);
  const double next =
      draw_lines(drawing, {{kMargin, kMargin + 10}, "", kTitleSize, Anchor::kStart, true}, lines);
  return next - kTitleSize + 10;
}

void finish_with_caption(Drawing& drawing, double top, const std::string& caption) {
  const auto lines = broken_lines("Inferred, not stated, beliefs. " + caption, drawing.width() - 2 * kMargin,
                                  kSmallText, 12);
  const double next = draw_lines(drawing, {{kMargin, top + kSmallText}, "", kSmallText}, lines, kSoft);
  drawing.set_height(std::ceil(next + kMargin - kSmallText));
}

double draw_lines(Drawing& drawing, Label first, const std::vector<std::string>& lines, Colour colour,
                  bool halo) {
  for (const std::string& line : lines) {
    first.content = line;
    drawing.text(first, colour, halo);
    first.at.y += line_height(first.size);
  }
  return first.at.y;
}

std::string on_one_line(const std::string& text, double width, double size, bool bold) {
  const auto lines = broken_lines(text, width, size, 1, bold);
  return lines.empty() ? std::string() : lines[0];
}

}  // namespace interpole::report
