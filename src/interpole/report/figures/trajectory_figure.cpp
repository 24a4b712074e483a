// Records on the simplex. Three states: the whole triangle; more: the two states believed in most and all
// others together. Two states have a ladder of their own (trajectory_ladder.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpole/error.hpp"
#include "interpole/report/drawing/label_placer.hpp"
#include "interpole/report/figures/figure_style.hpp"
#include "interpole/report/figures/record_path.hpp"
#include "interpole/report/figures/simplex_panel.hpp"
#include "interpole/report/figures/trajectory_parts.hpp"
#include "interpole/report/geometry/boundary_band.hpp"

namespace interpole::report {
namespace {

constexpr double kTrajectoryWidth = 760;
constexpr double kTrajectoryLegend = 165;

Slice slice_for(const RecordsFigureInput& input, const RecordPath& path) {
  const Structure& structure = input.model.structure;
  if (structure.state_count() == 3) return whole_triangle(structure);
  std::vector<double> sum(structure.states.size(), 0.0);
  for (const auto& belief : path.beliefs) {
    for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += belief[s];
  }
  const auto first = std::max_element(sum.begin(), sum.end()) - sum.begin();
  std::vector<double> rest = sum;
  rest[first] = -1.0;
  const auto second = std::max_element(rest.begin(), rest.end()) - rest.begin();
  return two_and_rest(structure, static_cast<int>(std::min(first, second)),
                      static_cast<int>(std::max(first, second)), input.typical_belief);
}

// The part of a line that does not lie under the markers at its ends.
std::vector<Point> between_markers(Point from, Point to, double at_start, double at_end) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length <= at_start + at_end) return {};
  const Point unit{(to.x - from.x) / length, (to.y - from.y) / length};
  return {{from.x + at_start * unit.x, from.y + at_start * unit.y},
          {to.x - at_end * unit.x, to.y - at_end * unit.y}};
}

// What a path takes up: markers with their numbers, the lines between them, and beliefs that were not
// reached.
std::vector<Disc> ground_of(const SimplexPanel& panel, const RecordPath& path,
                            const std::vector<std::vector<double>>& others) {
  constexpr double kMarkerRoom = 12, kLineRoom = 3, kStep = 5;
  std::vector<Disc> ground;
  ground.reserve(others.size());
  for (const auto& belief : others) ground.push_back({panel.at(belief), kMarkerRoom / 2, {}});
  const auto add_line = [&](Point from, Point to) {
    const int steps = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y) / kStep);
    for (int i = 1; i < steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const Point point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      ground.push_back({point, kLineRoom, {}});
    }
  };
  for (std::size_t t = 0; t < path.beliefs.size(); ++t) {
    const Point at = panel.at(path.beliefs[t]);
    ground.push_back({at, kMarkerRoom, {}});
    if (t + 1 == path.beliefs.size()) break;
    const Point middle = panel.at(path.predicted[t]);
    add_line(at, middle);
    add_line(middle, panel.at(path.beliefs[t + 1]));
  }
  return ground;
}

class PathPainter {
 public:
  PathPainter(Drawing& drawing, const SimplexPanel& panel, const RecordPath& path, LabelPlacer& placer)
      : drawing_(drawing), panel_(panel), path_(path), placer_(placer) {
    for (const auto& belief : path.beliefs) points_.push_back(panel.at(belief));
    const bool crowded = path.decisions > 12;
    marker_ = crowded ? 3.2 : 4.2;
    width_ = crowded ? 0.7 : 1.1;
  }

  const std::vector<Point>& points() const { return points_; }

  void draw_moves() {
    for (std::size_t t = 0; t + 1 < points_.size(); ++t) {
      const Point middle = panel_.at(path_.predicted[t]);
      const double passed = std::hypot(middle.x - points_[t].x, middle.y - points_[t].y);
      if (passed < 5) {
        draw_evidence(points_[t], points_[t + 1], marker_ + 1.5);
        continue;
      }
      const auto time = between_markers(points_[t], middle, marker_ + 1, 0);
      if (!time.empty()) drawing_.polyline(time, time_pen(width_));
      placer_.avoid_if_possible(points_[t], middle);
      drawing_.disc(middle, 1.3, {kInk, {}, 1.0});
      draw_evidence(middle, points_[t + 1], 1.5);
    }
  }

  void draw_others(const std::vector<std::vector<double>>& beliefs, int decision) {
    for (const auto& belief : beliefs) {
      const Point at = panel_.at(belief);
      const auto line = between_markers(points_[decision], at, marker_ + 1, 4);
      if (!line.empty()) drawing_.polyline(line, {kSoft, 0.9, {1, 2.5}});
      draw_other_marker(drawing_, at);
      placer_.avoid(box_around(at, 8, 8));
    }
  }

  void draw_markers() {
    for (int t = 0; t < path_.decisions; ++t) draw_marker(drawing_, path_.actions[t], points_[t], marker_);
    if (path_.has_final()) draw_final_marker(drawing_, points_.back());
    for (const Point& point : points_) placer_.avoid(box_around(point, 2.2 * marker_, 2.2 * marker_));
  }

  // Visits at almost the same belief share one label.
  void draw_numbers(double size) {
    constexpr double kSamePlace = 7;
    std::vector<char> done(points_.size(), 0);
    for (int t = 0; t < path_.decisions; ++t) {
      if (done[t]) continue;
      std::vector<int> visits;
      for (int u = t; u < path_.decisions; ++u) {
        if (done[u] || std::hypot(points_[u].x - points_[t].x, points_[u].y - points_[t].y) > kSamePlace)
          continue;
        done[u] = 1;
        visits.push_back(u + 1);
      }
      placer_.write(drawing_, points_[t], visit_ranges(visits), size, marker_ + 0.55 * size);
    }
  }

 private:
  void draw_evidence(Point from, Point to, double at_start) {
    const auto line = between_markers(from, to, at_start, marker_ + 1.5);
    if (!line.empty()) drawing_.arrow(line, evidence_pen(width_), 1.4 * marker_);
    placer_.avoid_if_possible(from, to);
  }

  Drawing& drawing_;
  const SimplexPanel& panel_;
  const RecordPath& path_;
  LabelPlacer& placer_;
  std::vector<Point> points_;
  double marker_, width_;  // smaller and thinner where visits are many
};

// Returns where the panel ends.
double draw_record(Drawing& drawing, const RecordsFigureInput& input, const ShownRecord& record,
                   const RecordPath& path, Point top_left, double side, double font) {
  const Structure& structure = input.model.structure;
  const Slice slice = slice_for(input, path);
  const SimplexPanel panel(slice, top_left, side, font);
  const double bottom = top_left.y + panel.height();
  const CornerScores fitted = corner_scores(input.model.agent.policy, slice);
  std::vector<CornerScores> draws;
  for (const AgentWorld& draw : input.draws.draws) draws.push_back(corner_scores(draw.agent.policy, slice));
  const auto regions = decision_polygons(fitted);
  const auto others = other_outcomes(input.model, record, path);
  panel.draw_regions(drawing, regions);
  panel.draw_boundaries(drawing, decision_boundaries(fitted),
                        boundary_band(fitted, draws, input.draws.level));
  panel.draw_frame(drawing);
  panel.draw_names(drawing, structure, regions, ground_of(panel, path, others), Hiding::kNothing);
  LabelPlacer placer(drawing, top_left, {top_left.x + SimplexPanel::width_for(side, font), bottom});
  const std::array<Point, 3> corners = {panel.at(Belief3{1, 0, 0}), panel.at(Belief3{0, 1, 0}),
                                        panel.at(Belief3{0, 0, 1})};
  for (int i = 0; i < 3; ++i) placer.avoid_if_possible(corners[i], corners[(i + 1) % 3]);
  PathPainter painter(drawing, panel, path, placer);
  painter.draw_moves();
  painter.draw_others(others, record.counterfactual.value_or(0));
  painter.draw_markers();
  painter.draw_numbers(font);
  return bottom;
}

struct Layout {
  int columns;
  double side;
  double font;
  double cell;
};

Layout layout_for(std::size_t records) {
  constexpr double kGap = 16;
  if (records == 1) return {1, 440, 11.5, kTrajectoryWidth - 2 * kMargin - kTrajectoryLegend - 20};
  const double font = 9.5;
  const double cell = (kTrajectoryWidth - 2 * kMargin - kGap) / 2;
  return {2, cell - SimplexPanel::width_for(0, font), font, cell};
}

Drawing simplex_trajectories(const RecordsFigureInput& input, const std::string& title) {
  const Layout layout = layout_for(input.records.size());
  std::vector<RecordPath> paths;
  std::string words;
  for (const ShownRecord& record : input.records) {
    paths.push_back(path_of(input.model, record));
    words += path_words(input.model, record, paths.back()) + " ";
  }
  Drawing drawing(kTrajectoryWidth, title, "Inferred, not stated, beliefs. " + words);
  double y = draw_title(drawing, title);
  double legend_end = y;
  const auto legend = trajectory_legend(input, paths);
  if (layout.columns > 1) {
    y = draw_legend_rows(drawing, {kMargin, y}, kTrajectoryWidth - 2 * kMargin, legend) + 14;
  } else {  // beside the one panel there is room
    legend_end = draw_legend(drawing, {kTrajectoryWidth - kMargin - kTrajectoryLegend, y + 24},
                             kTrajectoryLegend, legend);
  }
  std::string left_out;
  for (std::size_t i = 0; i < paths.size();) {
    double header = 0.0;
    double bottom = y;
    const std::size_t end = std::min(paths.size(), i + layout.columns);
    for (std::size_t k = i; k < end; ++k)
      header = std::max(header, header_height(input.records[k], layout.cell));
    for (std::size_t k = i; k < end; ++k) {
      const double x = kMargin + static_cast<double>(k - i) * (layout.cell + 16);
      draw_record_header(drawing, {x, y}, layout.cell, input.records[k]);
      bottom = std::max(bottom, draw_record(drawing, input, input.records[k], paths[k], {x, y + header},
                                            layout.side, layout.font));
      left_out += left_out_words(input.records[k], paths[k]);
    }
    y = bottom + 16;
    i = end;
  }
  finish_with_caption(drawing, std::max(y, legend_end), trajectory_caption(input, left_out));
  return drawing;
}

}  // namespace

Drawing trajectory_figure(const RecordsFigureInput& input, const std::string& title) {
  if (input.model.structure.state_count() == 1)
    throw input_error("the model has one state, so there is no belief to draw; a path needs at least two");
  return input.model.structure.state_count() == 2 ? ladder_figure(input, title)
                                                  : simplex_trajectories(input, title);
}

}  // namespace interpole::report
