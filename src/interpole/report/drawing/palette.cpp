#include "interpole/report/drawing/palette.hpp"

#include <cmath>
#include <numbers>

namespace interpole::report {
namespace {

constexpr int kMarkers = 7;

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

}  // namespace

std::vector<double> dash_lengths(int index) {
  static const std::vector<std::vector<double>> kDashes = {
      {}, {9, 4}, {2, 4}, {10, 4, 2, 4}, {16, 5}, {5, 3, 1, 3, 1, 3}};
  return kDashes[static_cast<std::size_t>(index) % kDashes.size()];
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

}  // namespace interpole::report
