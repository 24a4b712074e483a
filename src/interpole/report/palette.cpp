#include "interpole/report/palette.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "interpole/report/numbers.hpp"

namespace interpole {
namespace {

constexpr int kColours = 7;
// Lines of each pattern in a tile of 8 × 8; the first is the plain tint.
constexpr std::array<const char*, 8> kPatterns = {"",
                                                  "M-1,1 l2,-2 M0,8 l8,-8 M7,9 l2,-2",
                                                  "M-1,7 l2,2 M0,0 l8,8 M7,-1 l2,2",
                                                  "M2,4 h0.01 M6,0 h0.01 M6,8 h0.01",
                                                  "M0,4 h8",
                                                  "M4,0 v8",
                                                  "M0,8 l8,-8 M0,0 l8,8",
                                                  "M0,4 h8 M4,0 v8"};
constexpr std::array<const char*, 6> kDashes = {"", "9 4", "2 4", "10 4 2 4", "16 5", "5 3 1 3 1 3"};
constexpr int kMarkers = 7;
constexpr int kGlyphs = 6;

// A closed figure of `corners` points, every second of them at `inner` times the radius if inner > 0.
std::vector<Point> star(Point centre, double radius, int corners, double turn, double inner = 0.0) {
  const int points = inner > 0.0 ? 2 * corners : corners;
  std::vector<Point> outline;
  for (int i = 0; i < points; ++i) {
    const double angle = turn + 2.0 * std::numbers::pi * i / points;
    const double length = inner > 0.0 && i % 2 == 1 ? inner * radius : radius;
    outline.push_back({centre.x + length * std::sin(angle), centre.y - length * std::cos(angle)});
  }
  return outline;
}

std::string path_of(const std::vector<Point>& corners) {
  std::string data = "M";
  for (const Point& corner : corners) data += point_text(corner) + " ";
  return data + "Z";
}

template <class Draw>
Markup swatch(const Draw& draw) {
  Svg svg = Svg::swatch(28, 16);
  draw(svg);
  return svg.finish();
}

Markup entry(const Markup& sample, const std::string& name) {
  return element("li", "", literal(sample.html + element("span", "", escaped(name)).html));
}

}  // namespace

std::string action_colour(int action) {
  return fmt::format("c{}", action % kColours);
}

std::string action_fill(int action) {
  return fmt::format("url(#fill{})", action);
}

Markup action_patterns(int actions) {
  std::string html = "<svg class=\"hidden\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>\n";
  for (int a = 0; a < actions; ++a) {
    html += fmt::format(
        "<pattern id=\"fill{}\" class=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"8\" height=\"8\" class=\"tint\"/><path d=\"{}\" class=\"hatch\"/></pattern>\n",
        a, action_colour(a), kPatterns[a % kPatterns.size()]);
  }
  return {html + "</defs></svg>\n"};
}

std::string dashes(int index) {
  return kDashes[index % kDashes.size()];
}

std::vector<double> dash_lengths(int index) {
  std::vector<double> lengths;
  std::istringstream text(dashes(index));
  for (double length = 0.0; text >> length;) lengths.push_back(length);
  return lengths;
}

std::vector<Point> marker_corners(int action, Point at, double r) {
  constexpr double kPi = std::numbers::pi;
  switch (action % kMarkers) {
    case 0:
      return {};
    case 1:
      return star(at, 1.25 * r, 4, kPi / 4);  // square
    case 2:
      return star({at.x, at.y + 0.2 * r}, 1.3 * r, 3, 0);  // triangle
    case 3:
      return star(at, 1.3 * r, 4, 0);  // diamond
    case 4:
      return star({at.x, at.y - 0.2 * r}, 1.3 * r, 3, kPi);
    case 5:
      return star(at, 1.4 * r, 5, 0, 0.45);
    default:
      return star(at, 1.1 * r, 6, 0);
  }
}

void draw_action(Svg& svg, int action, Point at, double radius) {
  const std::string css = "marker " + action_colour(action);
  const auto corners = marker_corners(action, at, radius);
  if (corners.empty()) {
    svg.circle(at, radius, css);
  } else {
    svg.path(path_of(corners), css);
  }
}

void draw_outcome(Svg& svg, int outcome, Point at, double radius) {
  if (outcome == kMissing) {
    svg.line({at.x - 0.7 * radius, at.y}, {at.x + 0.7 * radius, at.y}, "glyph");
    return;
  }
  if (outcome >= kGlyphs) {  // more outcomes than glyphs anyone could keep apart: numbers, as in the legend
    svg.text({at.x, at.y + 3.5}, Anchor::kMiddle, "small", std::to_string(outcome + 1));
    return;
  }
  const bool square = outcome % kGlyphs >= 4;
  if (square) {
    svg.rect(at.x - 0.85 * radius, at.y - 0.85 * radius, 1.7 * radius, 1.7 * radius,
             outcome == 5 ? "glyph full" : "glyph");
    return;
  }
  svg.circle(at, radius, outcome == 1 ? "glyph full" : "glyph");
  if (outcome == 2) svg.circle(at, 0.35 * radius, "glyph full");
  if (outcome == 3) {
    svg.path(fmt::format("M{} A{r},{r} 0 0 1 {} Z", point_text({at.x, at.y - radius}),
                         point_text({at.x, at.y + radius}), fmt::arg("r", coordinate(radius))),
             "glyph full");
  }
}

void draw_name(Svg& svg, Point centre, const std::string& name, double room) {
  const auto lines = wrapped(name, room, 13);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double shift = static_cast<double>(i) - 0.5 * static_cast<double>(lines.size() - 1);
    svg.text({centre.x, centre.y + 4 + 15 * shift}, Anchor::kMiddle, "strong halo", lines[i]);
  }
}

Markup region_legend(const Structure& structure) {
  Markup list;
  for (int a = 0; a < structure.action_count(); ++a) {
    list += entry(swatch([&](Svg& svg) {
                    svg.rect(1, 1, 26, 14, "region " + action_colour(a), action_fill(a));
                    svg.polyline({{1, 8}, {27, 8}}, "curve " + action_colour(a), dashes(a));
                  }),
                  structure.actions[a]);
  }
  return element("ul", "legend", list);
}

Markup marker_legend(const Structure& structure, const std::vector<int>& actions,
                     const std::vector<int>& outcomes) {
  Markup list;
  for (const int a : actions) {
    list += entry(swatch([&](Svg& svg) { draw_action(svg, a, {14, 8}, 6); }), structure.actions[a]);
  }
  for (const int z : outcomes) {
    list += entry(swatch([&](Svg& svg) {
                    draw_outcome(svg, z, {14, 8}, 5);
                  }),
                  z == kMissing ? "nothing recorded" : structure.observations[z]);
  }
  return element("ul", "legend", list);
}

}  // namespace interpole
