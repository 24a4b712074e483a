#include "interpole/report/figures/region_name.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

bool inside(const std::vector<Point>& polygon, const Point& p) {
  bool left = false;
  bool right = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    const double turn = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    (turn > 0.0 ? left : right) = true;
  }
  return !(left && right);
}

// How much of a disc a box hides, about: its area if the centre is near the box.
double hidden_part(const TextBox& box, const Disc& disc) {
  const double x = std::clamp(disc.centre.x, box[0].x, box[2].x);
  const double y = std::clamp(disc.centre.y, box[0].y, box[2].y);
  const bool near = std::hypot(x - disc.centre.x, y - disc.centre.y) < disc.radius;
  return near ? disc.radius * disc.radius : 0.0;
}

struct Block {
  std::vector<std::string> lines;
  double width = 0.0;
  double height = 0.0;
};

Block block_of(std::vector<std::string> lines, double size) {
  Block block{std::move(lines), 0.0, 0.0};
  for (const std::string& line : block.lines)
    block.width = std::max(block.width, label_width(line, size, true));
  block.height = line_height(size) * static_cast<double>(block.lines.size());
  return block;
}

std::vector<TextBox> text_boxes(const Drawing& drawing) {
  std::vector<TextBox> boxes;
  for (const Element& element : drawing.elements()) {
    if (const auto* words = std::get_if<Words>(&element)) boxes.push_back(box_of(words->label));
  }
  return boxes;
}

class Search {
 public:
  Search(const std::vector<Point>& polygon, const std::vector<Disc>& discs, Hiding hiding,
         std::vector<TextBox> taken)
      : polygon_(polygon), discs_(discs), hiding_(hiding), taken_(std::move(taken)) {
    low_ = high_ = polygon[0];
    for (const Point& p : polygon) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
      middle_.x += p.x / static_cast<double>(polygon.size());
      middle_.y += p.y / static_cast<double>(polygon.size());
    }
  }

  // The best centre for a block; the cost is infinite if there is none.
  std::pair<double, Point> best(const Block& block) const {
    constexpr double kStep = 5.0;
    std::pair<double, Point> best{INFINITY, {}};
    for (double y = low_.y; y <= high_.y; y += kStep) {
      for (double x = low_.x; x <= high_.x; x += kStep) {
        const double cost = cost_at({x, y}, block);
        if (cost < best.first) best = {cost, {x, y}};
      }
    }
    return best;
  }

 private:
  double cost_at(Point centre, const Block& block) const {
    const TextBox box = box_around(centre, block.width + 6, block.height + 4);
    for (const Point& corner : box) {
      if (!inside(polygon_, corner)) return INFINITY;
    }
    for (const TextBox& other : taken_) {
      if (overlap(box, other)) return INFINITY;
    }
    double cost = 0.05 * std::hypot(centre.x - middle_.x, centre.y - middle_.y);
    for (const Disc& disc : discs_) {
      const double hidden = hidden_part(box, disc);
      if (hidden > 0.0 && hiding_ == Hiding::kNothing) return INFINITY;
      cost += hidden;
    }
    return cost;
  }

  const std::vector<Point>& polygon_;
  const std::vector<Disc>& discs_;
  Hiding hiding_;
  std::vector<TextBox> taken_;
  Point low_, high_, middle_;
};

}  // namespace

bool write_region_name(Drawing& drawing, const std::vector<Point>& polygon, const std::string& name,
                       double size, const std::vector<Disc>& discs, Hiding hiding) {
  if (polygon.size() < 3 || name.empty()) return false;
  const Search search(polygon, discs, hiding, text_boxes(drawing));
  const auto write = [&](double font, int most_lines, bool whole_words) {
    const double whole = label_width(name, font, true);
    constexpr double kNarrowest = 4.0;  // in letters' heights
    for (double width = whole; width == whole || width > kNarrowest * font; width *= 0.85) {
      const Block block = block_of(broken_lines(name, width + 1, font, most_lines, true), font);
      if (whole_words && !keeps_words(block.lines, name)) continue;
      const auto [cost, centre] = search.best(block);
      if (std::isinf(cost)) continue;
      const double first = centre.y - block.height / 2 + 0.98 * font;
      draw_lines(drawing, {{centre.x, first}, "", font, Anchor::kMiddle, true}, block.lines, kInk, true);
      return true;
    }
    return false;
  };
  return write(size, 2, true) || write(0.85 * size, 2, true) || write(0.85 * size, 3, true) ||
         (hiding != Hiding::kNothing && write(size, 2, false));
}

}  // namespace interpole::report
