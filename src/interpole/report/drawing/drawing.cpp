#include "interpole/report/drawing/drawing.hpp"

#include <cmath>

namespace interpole::report {

Colour lightened(Colour colour, double share) {
  const auto mixed = [&](int x) { return static_cast<int>(std::lround(share * x + (1.0 - share) * 255.0)); };
  return {mixed(colour.red), mixed(colour.green), mixed(colour.blue)};
}

void Drawing::polygon(std::vector<Point> corners, Look look) {
  area({std::move(corners)}, std::move(look));
}

void Drawing::area(std::vector<std::vector<Point>> loops, Look look) {
  if (loops.empty()) return;
  elements_.emplace_back(Outlines{std::move(loops), true, std::move(look)});
}

void Drawing::rect(double x, double y, double width, double height, Look look) {
  polygon({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, std::move(look));
}

void Drawing::polyline(std::vector<Point> points, Pen pen) {
  segments({std::move(points)}, std::move(pen));
}

void Drawing::line(Point from, Point to, Pen pen) {
  polyline({from, to}, std::move(pen));
}

void Drawing::segments(std::vector<std::vector<Point>> lines, Pen pen) {
  if (lines.empty()) return;
  elements_.emplace_back(Outlines{std::move(lines), false, {{}, std::move(pen), 1.0}});
}

void Drawing::disc(Point centre, double radius, Look look) {
  elements_.emplace_back(Disc{centre, radius, std::move(look)});
}

void Drawing::text(Label label, Colour colour, bool halo) {
  if (label.content.empty()) return;
  elements_.emplace_back(Words{std::move(label), colour, halo});
}

void Drawing::arrow(const std::vector<Point>& points, const Pen& pen, double head) {
  double length = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  }
  if (length < head) return;
  // The line ends inside the head, so that its blunt end does not show beside the tip.
  std::vector<Point> shaft = points;
  const Point tip = points.back();
  while (shaft.size() > 2 &&
         std::hypot(tip.x - shaft[shaft.size() - 2].x, tip.y - shaft[shaft.size() - 2].y) < head) {
    shaft.pop_back();
  }
  const Point& from = shaft[shaft.size() - 2];
  const double reach = std::hypot(tip.x - from.x, tip.y - from.y);
  const Point along{(tip.x - from.x) / reach, (tip.y - from.y) / reach};
  const Point base{tip.x - head * along.x, tip.y - head * along.y};
  shaft.back() = {tip.x - 0.7 * head * along.x, tip.y - 0.7 * head * along.y};
  polyline(std::move(shaft), pen);
  const double half = 0.42 * head;
  polygon({tip,
           {base.x - half * along.y, base.y + half * along.x},
           {base.x + half * along.y, base.y - half * along.x}},
          {pen.colour, {}, 1.0});
}

}  // namespace interpole::report
