// Two states: the belief is a place on a line, and visits follow each other downwards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/estimate.hpp"
#include "interpole/report/figures/region_name.hpp"
#include "interpole/report/figures/simplex_panel.hpp"
#include "interpole/report/figures/trajectory_parts.hpp"
#include "interpole/report/geometry/boundary_band.hpp"
#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {
namespace {

constexpr double kLadderWidth = 760;
constexpr double kLadderLeft = kMargin + 44;
constexpr double kLadderRow = 20;
constexpr double kLadderNames = 46;  // height of the strip with the regions' names

// Where the ladder ends, so that the names of the decisions beside it are not cut, or not by much.
double ladder_right_edge(const Structure& structure) {
  double widest = label_width("last belief", kSmallText);
  for (const std::string& action : structure.actions)
    widest = std::max(widest, label_width(action, kSmallText));
  return std::clamp(kLadderWidth - kMargin - 13 - widest, 470.0, 610.0);
}

class Ladder {
 public:
  Ladder(Drawing& drawing, const RecordsFigureInput& input)
      : drawing_(drawing),
        input_(input),
        structure_(input.model.structure),
        right_(ladder_right_edge(structure_)),
        regions_(decision_intervals(input.model.agent.policy)) {}

  // Returns where the next one may begin.
  double draw(const ShownRecord& record, const RecordPath& path, double y) {
    draw_record_header(drawing_, {kMargin, y}, kLadderWidth - 2 * kMargin, record);
    const double top = y + header_height(record, kLadderWidth - 2 * kMargin) + 8;
    const double height = kLadderNames + kLadderRow * static_cast<double>(path.beliefs.size());
    draw_ground(top, height);
    drawing_.text({{kLadderLeft - 12, top + kLadderNames - 8}, "visit", kSmallText, Anchor::kEnd}, kSoft);
    drawing_.text({{right_ + 12, top + kLadderNames - 8}, "decision", kSmallText}, kSoft);
    for (const auto& belief : other_outcomes(input_.model, record, path)) {
      draw_other_marker(drawing_,
                        {x_of(belief[1]), top + kLadderNames + kLadderRow * (*record.counterfactual + 1.5)});
    }
    draw_moves(path, top + kLadderNames);
    draw_visits(path, top + kLadderNames);
    draw_axis(top + height);
    return top + height + 56;
  }

 private:
  double x_of(double belief) const { return kLadderLeft + belief * (right_ - kLadderLeft); }

  Point at(const std::vector<double>& belief, double top, double row) const {
    return {x_of(belief[1]), top + kLadderRow * (row + 0.5)};
  }

  std::vector<Point> column(const BeliefInterval& region, double top, double height) const {
    return {{x_of(region.low), top},
            {x_of(region.high), top},
            {x_of(region.high), top + height},
            {x_of(region.low), top + height}};
  }

  void draw_ground(double top, double height) {
    for (const BeliefInterval& region : regions_)
      fill_region(drawing_, column(region, top, height), region.action);
    for (std::size_t i = 1; i < regions_.size(); ++i)
      draw_boundary(regions_[i - 1], regions_[i], top, height);
    drawing_.rect(kLadderLeft, top, right_ - kLadderLeft, height, {{}, Pen{kInk, 1.2, {}}, 1.0});
    for (const BeliefInterval& region : regions_) {
      write_region_name(drawing_, column(region, top, kLadderNames), structure_.actions[region.action],
                        kSmallText, {});
    }
  }

  void draw_boundary(const BeliefInterval& before, const BeliefInterval& after, double top, double height) {
    std::vector<double> ties;
    for (const AgentWorld& draw : input_.draws.draws) {
      const double tie = tie_between(draw.agent.policy, before.action, after.action);
      if (std::isfinite(tie)) ties.push_back(std::clamp(tie, 0.0, 1.0));
    }
    if (!ties.empty()) {
      const Estimate range = estimate_of(std::move(ties), input_.draws.level);
      drawing_.rect(x_of(range.low), top, x_of(range.high) - x_of(range.low), height,
                    {kInk, {}, kBandOpacity});
    }
    drawing_.line({x_of(after.low), top}, {x_of(after.low), top + height}, boundary_pen());
  }

  void draw_axis(double y) {
    for (int tick = 0; tick <= 10; ++tick) {
      const double x = x_of(tick / 10.0);
      drawing_.line({x, y}, {x, y + 6}, {kInk, 0.9, {}});
      drawing_.text({{x, y + 18}, base::percent(tick / 10.0), kSmallText, Anchor::kMiddle}, kSoft);
    }
    drawing_.text({{(kLadderLeft + right_) / 2, y + 36},
                   on_one_line("belief in " + structure_.states[1], right_ - kLadderLeft, kNormal),
                   kNormal,
                   Anchor::kMiddle});
  }

  void draw_moves(const RecordPath& path, double top) {
    for (std::size_t t = 0; t + 1 < path.beliefs.size(); ++t) {
      const auto row = static_cast<double>(t);
      const Point middle = at(path.predicted[t], top, row + 0.4);
      const Point to = at(path.beliefs[t + 1], top, row + 1);
      drawing_.polyline({at(path.beliefs[t], top, row), middle}, time_pen());
      const double length = std::hypot(to.x - middle.x, to.y - middle.y);
      const double keep = 1.0 - 5.5 / length;
      if (keep > 0.0) {
        drawing_.arrow({middle, {middle.x + keep * (to.x - middle.x), middle.y + keep * (to.y - middle.y)}},
                       evidence_pen(), 5);
      }
    }
  }

  void draw_visits(const RecordPath& path, double top) {
    const double room = kLadderWidth - kMargin - right_ - 12;
    for (int t = 0; t < path.decisions; ++t) {
      const Point point = at(path.beliefs[t], top, t);
      draw_marker(drawing_, path.actions[t], point, 4.2);
      drawing_.text({{kLadderLeft - 12, point.y + 4}, std::to_string(t + 1), kSmallText, Anchor::kEnd, true});
      drawing_.text({{right_ + 12, point.y + 4},
                     on_one_line(structure_.actions[path.actions[t]], room, kSmallText),
                     kSmallText});
    }
    if (!path.has_final()) return;
    const Point last = at(path.beliefs.back(), top, path.decisions);
    draw_final_marker(drawing_, last);
    drawing_.text({{right_ + 12, last.y + 4}, "last belief", kSmallText}, kSoft);
  }

  Drawing& drawing_;
  const RecordsFigureInput& input_;
  const Structure& structure_;
  double right_;
  std::vector<BeliefInterval> regions_;
};

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
  Drawing drawing(kLadderWidth, title, "Inferred, not stated, beliefs. " + words);
  double y = draw_title(drawing, title);
  y = draw_legend_rows(drawing, {kMargin, y}, kLadderWidth - 2 * kMargin, trajectory_legend(input, paths)) +
      14;
  Ladder ladder(drawing, input);
  for (std::size_t i = 0; i < paths.size(); ++i) y = ladder.draw(input.records[i], paths[i], y);
  finish_with_caption(drawing, y, trajectory_caption(input, left_out));
  return drawing;
}

}  // namespace interpole::report
