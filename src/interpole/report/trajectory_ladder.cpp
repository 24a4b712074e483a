// Two states: the belief is a place on a line, and visits follow each other downwards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/explain/estimate.hpp"
#include "interpole/report/boundary_band.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/region_name.hpp"
#include "interpole/report/simplex_panel.hpp"
#include "interpole/report/trajectory_parts.hpp"

namespace interpole {
namespace {

constexpr double kWidth = 760;
constexpr double kLeft = kMargin + 44, kRight = 610;
constexpr double kRow = 20;
constexpr double kNames = 38;  // height of the strip with the regions' names

double x_of(double belief) {
  return kLeft + belief * (kRight - kLeft);
}

std::vector<Point> column(const BeliefInterval& region, double top, double height) {
  return {{x_of(region.low), top},
          {x_of(region.high), top},
          {x_of(region.high), top + height},
          {x_of(region.low), top + height}};
}

void draw_boundary(Drawing& drawing, const RecordsFigureInput& input, const BeliefInterval& before,
                   const BeliefInterval& after, double top, double height) {
  std::vector<double> ties;
  for (const Explanation& draw : input.draws.draws) {
    const double tie = tie_between(draw.agent.policy, before.action, after.action);
    if (std::isfinite(tie)) ties.push_back(std::clamp(tie, 0.0, 1.0));
  }
  if (!ties.empty()) {
    const Estimate range = estimate_of(std::move(ties), input.draws.level);
    drawing.rect(x_of(range.low), top, x_of(range.high) - x_of(range.low), height, {kInk, {}, kBandOpacity});
  }
  drawing.line({x_of(after.low), top}, {x_of(after.low), top + height}, boundary_pen());
}

void draw_axis(Drawing& drawing, const Structure& structure, double y) {
  for (int tick = 0; tick <= 10; ++tick) {
    const double x = x_of(tick / 10.0);
    drawing.line({x, y}, {x, y + 6}, {kInk, 0.9, {}});
    drawing.text({{x, y + 18}, percent(tick / 10.0), kSmallText, Anchor::kMiddle}, kSoft);
  }
  drawing.text({{(kLeft + kRight) / 2, y + 36},
                on_one_line("belief in " + structure.states[1], kRight - kLeft, kNormal),
                kNormal,
                Anchor::kMiddle});
}

void draw_steps(Drawing& drawing, const Structure& structure, const RecordPath& path, double top) {
  const auto at = [&](const std::vector<double>& belief, double row) {
    return Point{x_of(belief[1]), top + kRow * (row + 0.5)};
  };
  for (std::size_t t = 0; t + 1 < path.beliefs.size(); ++t) {
    const auto row = static_cast<double>(t);
    const Point from = at(path.beliefs[t], row);
    const Point middle = at(path.predicted[t], row + 0.4);
    const Point to = at(path.beliefs[t + 1], row + 1);
    drawing.polyline({{from.x, from.y}, middle}, time_pen());
    const double length = std::hypot(to.x - middle.x, to.y - middle.y);
    const double keep = 1.0 - 5.5 / length;
    if (keep > 0.0) {
      drawing.arrow({middle, {middle.x + keep * (to.x - middle.x), middle.y + keep * (to.y - middle.y)}},
                    evidence_pen(), 5);
    }
  }
  for (int t = 0; t < path.decisions; ++t) {
    const Point point = at(path.beliefs[t], t);
    draw_marker(drawing, path.actions[t], point, 4.2);
    drawing.text({{kLeft - 12, point.y + 4}, std::to_string(t + 1), kSmallText, Anchor::kEnd, true});
    drawing.text({{kRight + 12, point.y + 4},
                  on_one_line(structure.actions[path.actions[t]], kWidth - kMargin - kRight - 12, kSmallText),
                  kSmallText});
  }
  if (!path.has_final()) return;
  const Point last = at(path.beliefs.back(), path.decisions);
  draw_final_marker(drawing, last);
  drawing.text({{kRight + 12, last.y + 4}, "last belief", kSmallText}, kSoft);
}

double draw_record(Drawing& drawing, const RecordsFigureInput& input, const ShownRecord& record,
                   const RecordPath& path, double y) {
  const Structure& structure = input.model.structure;
  draw_record_header(drawing, {kMargin, y}, kWidth - 2 * kMargin, record);
  const double top = y + header_height(record, kWidth - 2 * kMargin) + 8;
  const double height = kNames + kRow * static_cast<double>(path.beliefs.size());
  const auto regions = decision_intervals(input.model.agent.policy);
  for (const BeliefInterval& region : regions)
    fill_region(drawing, column(region, top, height), region.action);
  for (std::size_t i = 1; i < regions.size(); ++i) {
    draw_boundary(drawing, input, regions[i - 1], regions[i], top, height);
  }
  drawing.rect(kLeft, top, kRight - kLeft, height, {{}, Pen{kInk, 1.2, {}}, 1.0});
  for (const BeliefInterval& region : regions) {
    write_region_name(drawing, column(region, top, kNames), structure.actions[region.action], kSmallText, {});
  }
  drawing.text({{kLeft - 12, top + kNames - 8}, "visit", kSmallText, Anchor::kEnd}, kSoft);
  drawing.text({{kRight + 12, top + kNames - 8}, "decision", kSmallText}, kSoft);
  const auto others = other_outcomes(input.model, record, path);
  for (const auto& belief : others) {
    draw_other_marker(drawing, {x_of(belief[1]), top + kNames + kRow * (*record.counterfactual + 1.5)});
  }
  draw_steps(drawing, structure, path, top + kNames);
  draw_axis(drawing, structure, top + height);
  return top + height + 56;
}

}  // namespace

Drawing ladder_figure(const RecordsFigureInput& input, const std::string& title) {
  std::vector<RecordPath> paths;
  std::string words;
  std::string left_out;
  for (const ShownRecord& record : input.records) {
    paths.push_back(path_of(input.model, record));
    words += path_words(input.model, record, paths.back()) + " ";
    left_out += left_out_words(record, paths.back());
  }
  Drawing drawing(kWidth, title, "Inferred, not stated, beliefs. " + words);
  double y = draw_title(drawing, title);
  y = draw_legend_rows(drawing, {kMargin, y}, kWidth - 2 * kMargin, trajectory_legend(input, paths)) + 14;
  for (std::size_t i = 0; i < paths.size(); ++i)
    y = draw_record(drawing, input, input.records[i], paths[i], y);
  finish_with_caption(drawing, y, trajectory_caption(input, left_out));
  return drawing;
}

}  // namespace interpole
