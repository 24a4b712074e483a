#include "interpole/report/drawing/text_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/report/drawing/helvetica.hpp"
#include "interpole/report/drawing/markup.hpp"

namespace interpole::report {
namespace {

// DejaVu Sans, the widest font a browser is likely to take for "sans-serif", was measured against Helvetica:
// lines of text are 1.11 to 1.21 times as wide, bold ones 1.19 to 1.25 times.
constexpr double kWidest = 1.2;
constexpr double kWidestBold = 1.25;
constexpr double kAscent = 0.76;
constexpr double kDescent = 0.22;
constexpr double kTouch = 1e-6;

// The first bytes of the text that make whole letters and are no wider than `width`; at least one letter.
std::size_t fitting_bytes(std::string_view text, double width, double size, bool bold) {
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    if (end > 0 && label_width(text.substr(0, next), size, bold) > width) break;
    end = next;
  }
  return end;
}

// Where to end a line of which the first `room` bytes fit: after the last place that may be broken.
std::size_t break_before(std::string_view text, std::size_t room) {
  for (std::size_t i = room; i > 0; --i) {
    if (i < text.size() && text[i] == ' ') return i;
    const char before = text[i - 1];
    if (i > 1 && (before == '-' || before == '_' || before == '/' || before == ' ')) return i;
  }
  return room;
}

std::string with_ellipsis(std::string_view text, double width, double size, bool bold) {
  const double room = width - label_width("…", size, bold);
  std::size_t end = fitting_bytes(text, room, size, bold);
  while (end > 0 && text[end - 1] == ' ') --end;
  return std::string(text.substr(0, end)) + "…";
}

bool separated_along(const TextBox& a, const TextBox& b, Point axis) {
  const auto reach = [&](const TextBox& box) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const Point& corner : box) {
      const double along = corner.x * axis.x + corner.y * axis.y;
      low = std::min(low, along);
      high = std::max(high, along);
    }
    return std::pair(low, high);
  };
  const auto [a_low, a_high] = reach(a);
  const auto [b_low, b_high] = reach(b);
  return a_high <= b_low + kTouch || b_high <= a_low + kTouch;
}

}  // namespace

double label_width(std::string_view text, double size, bool bold) {
  return (bold ? kWidestBold : kWidest) * size * helvetica_width(text, bold);
}

TextBox box_of(const Label& label) {
  const double width = label_width(label.content, label.size, label.bold);
  const double left = label.anchor == Anchor::kStart    ? 0.0
                      : label.anchor == Anchor::kMiddle ? -width / 2
                                                        : -width;
  const double angle = label.turn * std::numbers::pi / 180.0;
  const auto turned = [&](double x, double y) {
    return Point{label.at.x + x * std::cos(angle) - y * std::sin(angle),
                 label.at.y + x * std::sin(angle) + y * std::cos(angle)};
  };
  const double top = -kAscent * label.size;
  const double bottom = kDescent * label.size;
  return {turned(left, top), turned(left + width, top), turned(left + width, bottom), turned(left, bottom)};
}

TextBox box_around(Point centre, double width, double height) {
  const double x = width / 2;
  const double y = height / 2;
  return {Point{centre.x - x, centre.y - y}, Point{centre.x + x, centre.y - y},
          Point{centre.x + x, centre.y + y}, Point{centre.x - x, centre.y + y}};
}

// Two convex figures are apart if a line parallel to one of their sides separates them.
bool overlap(const TextBox& a, const TextBox& b) {
  for (const TextBox* box : {&a, &b}) {
    for (int side = 0; side < 2; ++side) {
      const Point& from = (*box)[side];
      const Point& to = (*box)[side + 1];
      const double length = std::hypot(to.x - from.x, to.y - from.y);
      if (length == 0.0) return false;
      if (separated_along(a, b, {(to.x - from.x) / length, (to.y - from.y) / length})) return false;
    }
  }
  return true;
}

std::vector<std::string> broken_lines(std::string_view text, double width, double size, int most, bool bold) {
  std::vector<std::string> lines;
  while (!text.empty() && static_cast<int>(lines.size()) < most) {
    if (label_width(text, size, bold) <= width) {
      lines.emplace_back(text);
      return lines;
    }
    if (static_cast<int>(lines.size()) + 1 == most) {
      lines.push_back(with_ellipsis(text, width, size, bold));
      return lines;
    }
    const std::size_t end = break_before(text, fitting_bytes(text, width, size, bold));
    std::size_t shown = end;
    while (shown > 0 && text[shown - 1] == ' ') --shown;
    lines.emplace_back(text.substr(0, shown));
    text.remove_prefix(end);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return lines;
}

std::vector<std::string> balanced_lines(std::string_view text, double width, double size, int most,
                                        bool bold) {
  auto lines = broken_lines(text, width, size, most, bold);
  if (lines.size() < 2 || !keeps_words(lines, text)) return lines;
  const std::size_t count = lines.size();
  for (double narrower = 0.95 * width; narrower > width / 3; narrower *= 0.95) {
    auto shorter = broken_lines(text, narrower, size, most, bold);
    if (shorter.size() > count || !keeps_words(shorter, text)) break;
    lines = std::move(shorter);
  }
  return lines;
}

bool keeps_words(const std::vector<std::string>& lines, std::string_view text) {
  for (const std::string& line : lines) {
    if (!text.starts_with(line)) return false;
    text.remove_prefix(line.size());
    const bool after_hyphen = line.ends_with('-') || line.ends_with('_') || line.ends_with('/');
    if (!text.empty() && !text.starts_with(' ') && !after_hyphen) return false;
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return text.empty();
}

}  // namespace interpole::report
