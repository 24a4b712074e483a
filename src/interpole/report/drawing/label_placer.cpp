#include "interpole/report/drawing/label_placer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace interpole::report {

LabelPlacer::LabelPlacer(const Drawing& drawing, Point low, Point high) : low_(low), high_(high) {
  for (const Element& element : drawing.elements()) {
    if (const auto* words = std::get_if<Words>(&element)) taken_.push_back(box_of(words->label));
  }
}

bool LabelPlacer::is_free(const TextBox& box) const {
  for (const Point& corner : box) {
    if (corner.x < low_.x || corner.y < low_.y || corner.x > high_.x || corner.y > high_.y) return false;
  }
  for (const TextBox& other : taken_) {
    if (overlap(box, other)) return false;
  }
  return true;
}

int LabelPlacer::lines_under(const TextBox& box) const {
  int crossed = 0;
  for (const Segment& line : lines_) {
    const double length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
    const int samples = 2 + static_cast<int>(length / 4);
    for (int i = 0; i <= samples; ++i) {
      const double share = static_cast<double>(i) / samples;
      const double x = line.from.x + share * (line.to.x - line.from.x);
      const double y = line.from.y + share * (line.to.y - line.from.y);
      if (x < box[0].x || x > box[2].x || y < box[0].y || y > box[2].y) continue;
      ++crossed;
      break;
    }
  }
  return crossed;
}

bool LabelPlacer::write(Drawing& drawing, Point at, const std::string& text, double size, double nearest) {
  constexpr int kDirections = 16;
  constexpr double kFarthest = 90;
  constexpr double kAir = 2;  // between a label and what is beside it
  const double half_width = label_width(text, size, true) / 2;
  double best_cost = INFINITY;
  Label best;
  double best_reach = 0.0;
  for (double reach = nearest; reach < kFarthest; reach += 4 + 0.15 * reach) {
    for (int i = 0; i < kDirections; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.5) / kDirections;
      const Point centre{at.x + (reach + 0.8 * half_width) * std::cos(angle), at.y + reach * std::sin(angle)};
      const Label label{{centre.x, centre.y + 0.36 * size}, text, size, Anchor::kMiddle, true};
      TextBox box = box_of(label);
      for (Point& corner : box) corner.x += corner.x < centre.x ? -kAir : kAir;
      if (!is_free(box)) continue;
      const double cost = reach + 12 * lines_under(box);
      if (cost >= best_cost) continue;
      best_cost = cost;
      best = label;
      best_reach = reach;
    }
    if (best_cost < reach) break;
  }
  if (std::isinf(best_cost)) return false;
  if (best_reach > nearest + 6) {
    drawing.line(at, {best.at.x, best.at.y - 0.36 * size}, {kSoft, 0.5, {}});
  }
  drawing.text(best, kInk, true);
  taken_.push_back(box_of(best));
  return true;
}

std::string visit_ranges(const std::vector<int>& visits) {
  constexpr std::size_t kMostRanges = 3;
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < visits.size();) {
    std::size_t end = i;
    while (end + 1 < visits.size() && visits[end + 1] == visits[end] + 1) ++end;
    if (ranges++ == kMostRanges) return text + " …";
    if (!text.empty()) text += ", ";
    text += end == i ? fmt::format("{}", visits[i]) : fmt::format("{}–{}", visits[i], visits[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace interpole::report
