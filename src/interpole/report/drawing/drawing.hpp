// A drawing that stands alone, in the few things that SVG and PDF both have: filled and stroked outlines,
// circles, lines of text. Every look is stated on the spot, so one list of elements gives both files, and
// where each text lies can be checked before anything is written. Units are points; y grows downwards.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "interpole/report/drawing/text_box.hpp"

namespace interpole::report {

struct Colour {
  int red = 0;
  int green = 0;
  int blue = 0;
  bool operator==(const Colour&) const = default;
};

// `share` of the colour, the rest white.
Colour lightened(Colour colour, double share);

inline constexpr Colour kInk{28, 33, 40};
inline constexpr Colour kSoft{89, 99, 110};
inline constexpr Colour kRule{208, 205, 198};
inline constexpr Colour kWhite{255, 255, 255};

struct Pen {
  Colour colour = kInk;
  double width = 1.0;
  std::vector<double> dash = {};  // lengths of line and gap; empty: solid
};

struct Look {
  std::optional<Colour> fill = {};
  std::optional<Pen> pen = {};
  double opacity = 1.0;
};

// Outlines filled and stroked together; where several overlap, an even number of layers is a hole.
struct Outlines {
  std::vector<std::vector<Point>> parts;
  bool closed = true;
  Look look;
};

struct Disc {
  Point centre;
  double radius = 0.0;
  Look look;
};

struct Words {
  Label label;
  Colour colour = kInk;
  bool halo = false;  // on a white rim, to be read on any ground
};

using Element = std::variant<Outlines, Disc, Words>;

class Drawing {
 public:
  // `title` and `description` are what a screen reader says.
  Drawing(double width, std::string title, std::string description)
      : width_(width), title_(std::move(title)), description_(std::move(description)) {}

  void polygon(std::vector<Point> corners, Look look);
  void area(std::vector<std::vector<Point>> loops, Look look);
  void rect(double x, double y, double width, double height, Look look);
  void polyline(std::vector<Point> points, Pen pen);
  void line(Point from, Point to, Pen pen);
  void segments(std::vector<std::vector<Point>> lines, Pen pen);
  void disc(Point centre, double radius, Look look);
  void text(Label label, Colour colour = kInk, bool halo = false);  // nothing if it is empty
  // A line with a head at its end; nothing if it is shorter than a head.
  void arrow(const std::vector<Point>& points, const Pen& pen, double head = 6.0);

  void set_height(double height) { height_ = height; }
  // What made the drawing, for the file's own record; one line.
  void set_origin(std::string origin) { origin_ = std::move(origin); }

  double width() const { return width_; }
  double height() const { return height_; }
  const std::string& title() const { return title_; }
  const std::string& description() const { return description_; }
  const std::string& origin() const { return origin_; }
  const std::vector<Element>& elements() const { return elements_; }

 private:
  double width_;
  double height_ = 0.0;
  std::string title_, description_, origin_;
  std::vector<Element> elements_;
};

// A complete SVG file, and a complete PDF file of one page. Letters that the PDF's font lacks become "?" and
// are named in `lacking`.
std::string to_svg(const Drawing& drawing);
struct PdfFile {
  std::string bytes;
  std::u32string lacking;
};
PdfFile to_pdf(const Drawing& drawing);

}  // namespace interpole::report
