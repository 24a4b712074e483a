// A small writer of SVG drawings. Looks come from CSS classes (style.cpp): no style attributes, so that the
// page's security policy can forbid them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpole/report/markup.hpp"

namespace interpole {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

enum class Anchor { kStart, kMiddle, kEnd };

class Svg {
 public:
  // `id` must be unique in the page. `title` and `description` are what a screen reader says.
  Svg(std::string_view id, double width, double height, std::string_view title, std::string_view description);
  // A small sample beside words that say what it is: a screen reader passes over it.
  static Svg swatch(double width, double height);

  void rect(double x, double y, double width, double height, std::string_view css,
            std::string_view fill = "");
  void line(Point from, Point to, std::string_view css);
  void circle(Point centre, double radius, std::string_view css);
  void polygon(const std::vector<Point>& corners, std::string_view css, std::string_view fill = "");
  void polyline(const std::vector<Point>& points, std::string_view css, std::string_view dashes = "");
  void path(std::string_view data, std::string_view css);
  void text(Point at, Anchor anchor, std::string_view css, std::string_view content);
  // The same, turned by −90°: reads from bottom to top.
  void upright_text(Point at, std::string_view css, std::string_view content);

  // What follows, up to close(), shows `hint` when pointed at.
  void open_with_hint(std::string_view hint);
  void close();

  Markup finish();

 private:
  Svg() = default;
  void shape(std::string_view tag, const std::string& attributes, std::string_view css,
             std::string_view fill);
  std::string html_;
};

// "12.5,40": a point in a list of points.
std::string point_text(Point point);

}  // namespace interpole
