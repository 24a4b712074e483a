#include "interpole/report/svg.hpp"

#include <fmt/format.h>

#include "interpole/report/numbers.hpp"

namespace interpole {
namespace {

const char* anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      break;
  }
  return "end";
}

std::string list_of(const std::vector<Point>& points) {
  std::string list;
  for (const Point& point : points) {
    if (!list.empty()) list += ' ';
    list += point_text(point);
  }
  return list;
}

}  // namespace

std::string point_text(Point point) {
  return coordinate(point.x) + "," + coordinate(point.y);
}

Svg::Svg(std::string_view id, double width, double height, std::string_view title,
         std::string_view description) {
  html_ = fmt::format(
      "<svg class=\"chart\" role=\"img\" aria-labelledby=\"{0}-title {0}-desc\" viewBox=\"0 0 {1} {2}\" "
      "width=\"{1}\" height=\"{2}\"><title id=\"{0}-title\">{3}</title><desc id=\"{0}-desc\">{4}</desc>\n",
      id, coordinate(width), coordinate(height), escaped(title).html, escaped(description).html);
}

Svg Svg::swatch(double width, double height) {
  Svg svg;
  svg.html_ = fmt::format(
      "<svg class=\"swatch\" aria-hidden=\"true\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">",
      coordinate(width), coordinate(height));
  return svg;
}

void Svg::shape(std::string_view tag, const std::string& attributes, std::string_view css,
                std::string_view fill) {
  html_ += fmt::format("<{} {} class=\"{}\"", tag, attributes, css);
  if (!fill.empty()) html_ += fmt::format(" fill=\"{}\"", fill);
  html_ += "/>\n";
}

void Svg::rect(double x, double y, double width, double height, std::string_view css, std::string_view fill) {
  shape("rect",
        fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(x), coordinate(y),
                    coordinate(width), coordinate(height)),
        css, fill);
}

void Svg::line(Point from, Point to, std::string_view css) {
  shape("line",
        fmt::format("x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", coordinate(from.x), coordinate(from.y),
                    coordinate(to.x), coordinate(to.y)),
        css, "");
}

void Svg::circle(Point centre, double radius, std::string_view css) {
  shape("circle",
        fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\"", coordinate(centre.x), coordinate(centre.y),
                    coordinate(radius)),
        css, "");
}

void Svg::polygon(const std::vector<Point>& corners, std::string_view css, std::string_view fill) {
  shape("polygon", fmt::format("points=\"{}\"", list_of(corners)), css, fill);
}

void Svg::polyline(const std::vector<Point>& points, std::string_view css, std::string_view dashes) {
  std::string attributes = fmt::format("points=\"{}\"", list_of(points));
  if (!dashes.empty()) attributes += fmt::format(" stroke-dasharray=\"{}\"", dashes);
  shape("polyline", attributes, css, "none");
}

void Svg::path(std::string_view data, std::string_view css) {
  shape("path", fmt::format("d=\"{}\"", data), css, "");
}

void Svg::text(Point at, Anchor anchor, std::string_view css, std::string_view content) {
  if (content.empty()) return;
  html_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                       coordinate(at.x), coordinate(at.y), anchor_name(anchor), css, escaped(content).html);
}

void Svg::upright_text(Point at, std::string_view css, std::string_view content) {
  html_ += fmt::format(
      "<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\" class=\"{}\">{}</text>\n",
      coordinate(at.x), coordinate(at.y), css, escaped(content).html);
}

void Svg::open_with_hint(std::string_view hint) {
  html_ += fmt::format("<g><title>{}</title>\n", escaped(hint).html);
}

void Svg::close() {
  html_ += "</g>\n";
}

Markup Svg::finish() {
  return {std::move(html_) + "</svg>\n"};
}

}  // namespace interpole
