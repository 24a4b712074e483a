#include "interpole/report/figures/simplex_panel.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "interpole/base/number_text.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

constexpr double kHalfRoot3 = std::numbers::sqrt3 / 2;
constexpr double kTick = 7.0;
// Sides are numbered by the corner they begin at: below, right, left. A tick leads out of the triangle along
// its gridline, which is parallel to the side that faces the corner it counts towards.
constexpr std::array<Point, 3> kAlongGridline = {Point{-0.5, kHalfRoot3}, Point{1, 0},
                                                 Point{-0.5, -kHalfRoot3}};
constexpr std::array<Point, 3> kOutward = {Point{0, 1}, Point{kHalfRoot3, -0.5}, Point{-kHalfRoot3, -0.5}};
constexpr std::array<double, 3> kTitleTurn = {0, 60, -60};
constexpr std::array<Anchor, 3> kTickAnchor = {Anchor::kMiddle, Anchor::kStart, Anchor::kEnd};

double margin_of(double font) {
  return 2.9 * font;
}

double name_size(double font) {
  return 1.05 * font;
}

// Baselines below the lower side: ticks, first line of the title.
double tick_row(double font) {
  return kTick + 1 + font;
}
double title_row(double font) {
  return tick_row(font) + 1.35 * font;
}

// How far from a slanted side its title has to stay to clear the ticks' labels: as far as the outermost
// corner of a label, the upper one, and a little more.
double title_distance(double font, int side) {
  const double label = label_width("80%", font);
  return side == 1 ? kHalfRoot3 * (kTick + 3 + label) + 0.5 * 0.45 * font + 0.4 * font
                   : kHalfRoot3 * (0.5 * kTick + label) + 0.5 * (kTick + 2 + 0.76 * font) + 0.4 * font;
}

}  // namespace

Pen boundary_pen() {
  return {kInk, 1.3, {5, 3}};
}

SimplexPanel::SimplexPanel(const Slice& slice, Point top_left, double side, double font)
    : slice_(slice), font_(font), triangle_{{}, side} {
  const double above = 12 + line_height(name_size(font)) * static_cast<double>(name_lines(2).size());
  triangle_.left = {top_left.x + margin_of(font), top_left.y + above + triangle_.height()};
}

double SimplexPanel::width_for(double side, double font) {
  return side + 2 * margin_of(font);
}

double SimplexPanel::height() const {
  const auto below = static_cast<double>(std::max(name_lines(0).size(), name_lines(1).size()));
  const auto above = static_cast<double>(name_lines(2).size());
  return 12 + line_height(name_size(font_)) * (above + below - 1) + triangle_.height() + name_row() +
         0.4 * font_;
}

// First baseline of the corners' names, below the lower side.
double SimplexPanel::name_row() const {
  const auto titles = static_cast<double>(title_lines(0).size());
  return title_row(font_) + line_height(font_) * (titles - 1) + 1.6 * font_;
}

// A slanted side's title may be so long that its lower end stays above the panel's edge.
std::vector<std::string> SimplexPanel::title_lines(int from) const {
  const double outermost = title_distance(font_, from) + line_height(font_) + font_;
  const double room = from == 0 ? 0.72 * triangle_.side
                                : 4 * (triangle_.side / 4 + margin_of(font_) - kHalfRoot3 * outermost);
  return balanced_lines("belief in " + slice_.names[(from + 1) % 3],
                        std::clamp(room, 0.4 * triangle_.side, 0.66 * triangle_.side), font_, 2);
}

std::vector<std::string> SimplexPanel::name_lines(int corner) const {
  const double room = corner == 2 ? triangle_.side : triangle_.side / 2 + margin_of(font_) - 4;
  return balanced_lines(slice_.names[corner], room, name_size(font_), 3, true);
}

std::vector<Point> SimplexPanel::outline(const std::vector<Belief3>& corners) const {
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const Belief3& corner : corners) points.push_back(at(corner));
  return points;
}

void SimplexPanel::draw_regions(Drawing& drawing, const std::vector<BeliefPolygon>& regions) const {
  for (const BeliefPolygon& region : regions) fill_region(drawing, outline(region.corners), region.action);
}

void SimplexPanel::draw_gridlines(Drawing& drawing) const {
  std::vector<std::vector<Point>> lines;
  for (int to = 0; to < 3; ++to) {
    for (int tick = 1; tick < 5; ++tick) {
      Belief3 one{};
      Belief3 other{};
      one[to] = other[to] = tick / 5.0;
      one[(to + 1) % 3] = other[(to + 2) % 3] = 1.0 - tick / 5.0;
      lines.push_back({at(one), at(other)});
    }
  }
  drawing.segments(std::move(lines), {lightened(kSoft, 0.4), 0.5, {}});
}

void SimplexPanel::draw_boundaries(Drawing& drawing, const std::vector<BeliefSegment>& boundaries,
                                   const std::vector<std::vector<Belief3>>& band) const {
  std::vector<std::vector<Point>> loops;
  loops.reserve(band.size());
  for (const auto& loop : band) loops.push_back(outline(loop));
  drawing.area(std::move(loops), {kInk, {}, kBandOpacity});
  for (const BeliefSegment& boundary : boundaries) {
    drawing.line(at(boundary.from), at(boundary.to), boundary_pen());
  }
}

void SimplexPanel::draw_frame(Drawing& drawing) const {
  drawing.polygon({at(Belief3{1, 0, 0}), at(Belief3{0, 1, 0}), at(Belief3{0, 0, 1})},
                  {{}, Pen{kInk, 1.2, {}}, 1.0});
  for (int from = 0; from < 3; ++from) draw_side(drawing, from);
  draw_corner_names(drawing);
}

void SimplexPanel::draw_side(Drawing& drawing, int from) const {
  const int to = (from + 1) % 3;
  const Point out = kAlongGridline[from];
  const bool narrow = triangle_.side < 10 * label_width("80%", font_);
  for (int tick = 1; tick < 5; ++tick) {
    Belief3 belief{};
    belief[to] = tick / 5.0;
    belief[from] = 1.0 - belief[to];
    const Point foot = at(belief);
    const Point end{foot.x + kTick * out.x, foot.y + kTick * out.y};
    drawing.line(foot, end, {kInk, 0.9, {}});
    if (narrow && tick % 2 == 1) continue;
    const Point label = from == 0   ? Point{end.x, foot.y + tick_row(font_)}
                        : from == 1 ? Point{end.x + 3, end.y + 0.35 * font_}
                                    : Point{end.x, end.y - 2};
    drawing.text({label, base::percent(belief[to]), font_, kTickAnchor[from]}, kSoft);
  }
  draw_side_title(drawing, from);
}

// The last line of a slanted side's title is the nearest to it, of the lower side's the farthest.
void SimplexPanel::draw_side_title(Drawing& drawing, int from) const {
  Belief3 middle{};
  middle[from] = middle[(from + 1) % 3] = 0.5;
  const Point foot = at(middle);
  const auto lines = title_lines(from);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double distance = from == 0 ? title_row(font_) + line_height(font_) * static_cast<double>(i)
                                      : title_distance(font_, from) +
                                            line_height(font_) * static_cast<double>(lines.size() - 1 - i);
    drawing.text({{foot.x + distance * kOutward[from].x, foot.y + distance * kOutward[from].y},
                  lines[i],
                  font_,
                  Anchor::kMiddle,
                  false,
                  kTitleTurn[from]},
                 kSoft);
  }
}

// Under the corner it names, or as near to it as the panel's edge allows.
void SimplexPanel::draw_corner_names(Drawing& drawing) const {
  const double size = name_size(font_);
  const Point top = at(Belief3{0, 0, 1});
  const double row = triangle_.left.y + name_row();
  for (const int corner : {0, 1}) {
    const auto lines = name_lines(corner);
    double half = 0.0;
    for (const std::string& line : lines) half = std::max(half, label_width(line, size, true) / 2);
    const double inward = std::max(0.0, half - margin_of(font_));
    const double x = corner == 0 ? triangle_.left.x + inward : triangle_.left.x + triangle_.side - inward;
    draw_lines(drawing, {{x, row}, "", size, Anchor::kMiddle, true}, lines);
  }
  const auto above = name_lines(2);
  const double first = top.y - 8 - line_height(size) * (static_cast<double>(above.size()) - 1);
  draw_lines(drawing, {{top.x, first}, "", size, Anchor::kMiddle, true}, above);
}

void SimplexPanel::draw_names(Drawing& drawing, const Structure& structure,
                              const std::vector<BeliefPolygon>& regions, const std::vector<Disc>& discs,
                              Hiding hiding) const {
  for (const BeliefPolygon& region : regions) {
    write_region_name(drawing, outline(region.corners), structure.actions[region.action], 1.05 * font_, discs,
                      hiding);
  }
}

}  // namespace interpole::report
