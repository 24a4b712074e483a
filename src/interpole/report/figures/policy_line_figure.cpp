// Two states: the belief is one number. The policy's curves above, the likeliest action as a band below them,
// and under that where the data's decisions lie.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/belief.hpp"
#include "interpole/estimate.hpp"
#include "interpole/report/drawing/palette.hpp"
#include "interpole/report/figures/figure_style.hpp"
#include "interpole/report/figures/policy_parts.hpp"
#include "interpole/report/figures/region_name.hpp"
#include "interpole/report/figures/simplex_panel.hpp"
#include "interpole/report/geometry/boundary_band.hpp"
#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {
namespace {

constexpr double kLineWidth = 760, kLineLeft = 78, kLineRight = 730;
constexpr double kLineCurves = 190, kLineStrip = 46, kLineCounts = 60;
constexpr int kLineSamples = 100;
constexpr int kLineBins = 25;
constexpr int kLineNameLines = 3;

double line_x_of(double belief) {
  return kLineLeft + belief * (kLineRight - kLineLeft);
}

std::vector<double> policy_at(const Structure& structure, const Policy& policy, double belief) {
  return action_probabilities(structure, policy, std::array<double, 2>{1.0 - belief, belief});
}

// A boundary with the interval of where it may lie; low = high without draws.
struct Boundary {
  double at = 0.0;
  double low = 0.0;
  double high = 0.0;
  std::string text;
};

std::vector<Boundary> line_boundaries_of(const PolicyFigureInput& input,
                                         const std::vector<BeliefInterval>& regions) {
  std::vector<Boundary> boundaries;
  for (std::size_t i = 1; i < regions.size(); ++i) {
    const double at = regions[i].low;
    Boundary boundary{at, at, at, base::percent(at)};
    std::vector<double> ties;
    for (const AgentWorld& draw : input.draws.draws) {
      const double tie = tie_between(draw.agent.policy, regions[i - 1].action, regions[i].action);
      if (std::isfinite(tie)) ties.push_back(std::clamp(tie, 0.0, 1.0));
    }
    if (!ties.empty()) {
      const Estimate interval = estimate_of(std::move(ties), input.draws.level);
      boundary.low = interval.low;
      boundary.high = interval.high;
      boundary.text = fmt::format("{} [{}–{}]", base::percent(at), base::percent(interval.low),
                                  base::percent(interval.high));
    }
    boundaries.push_back(std::move(boundary));
  }
  return boundaries;
}

class LineFigure {
 public:
  LineFigure(const PolicyFigureInput& input, Drawing& drawing)
      : input_(input),
        structure_(input.model.structure),
        drawing_(drawing),
        regions_(decision_intervals(input.model.agent.policy)),
        boundaries_(line_boundaries_of(input, regions_)) {}

  // Everything from `top` on; returns where the caption may begin.
  double draw(double top) {
    draw_boundary_values(top);
    draw_regions();
    draw_axes();
    draw_curves();
    for (const Boundary& b : boundaries_) {
      if (b.high > b.low) {
        drawing_.rect(line_x_of(b.low), curves_, line_x_of(b.high) - line_x_of(b.low),
                      kLineCurves + 8 + kLineStrip, {kInk, {}, kBandOpacity});
      }
      drawing_.line({line_x_of(b.at), curves_ - 5}, {line_x_of(b.at), strip_ + kLineStrip}, boundary_pen());
    }
    draw_region_names();
    draw_belief_axis();
    return draw_counts();
  }

 private:
  double y_of(double probability) const { return curves_ + kLineCurves * (1.0 - probability); }

  // Values stand over their boundaries, in as many rows as it takes that none runs into another.
  void draw_boundary_values(double top) {
    std::vector<double> row_end;
    std::vector<std::pair<int, double>> places;  // row, centre
    for (const Boundary& b : boundaries_) {
      const double half = label_width(b.text, kNormal, true) / 2 + 4;
      const double x = std::clamp(line_x_of(b.at), kLineLeft + half - 40, kLineRight - half + 20);
      std::size_t row = 0;
      while (row < row_end.size() && row_end[row] > x - half) ++row;
      if (row == row_end.size()) row_end.push_back(0.0);
      row_end[row] = x + half;
      places.emplace_back(static_cast<int>(row), x);
    }
    const double rows = static_cast<double>(row_end.size());
    curves_ = top + 16 * rows + 12;
    strip_ = curves_ + kLineCurves + 8;
    for (std::size_t i = 0; i < boundaries_.size(); ++i) {
      drawing_.text({{places[i].second, curves_ - 10 - 16.0 * places[i].first},
                     boundaries_[i].text,
                     kNormal,
                     Anchor::kMiddle,
                     true});
    }
  }

  static std::vector<Point> box(double x, double y, double width, double height) {
    return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
  }

  void draw_regions() {
    for (const BeliefInterval& region : regions_) {
      const double left = line_x_of(region.low);
      const double width = line_x_of(region.high) - left;
      drawing_.rect(left, curves_, width, kLineCurves,
                    {lightened(palette_colour(region.action), 0.06), {}, 1.0});
      fill_region(drawing_, box(left, strip_, width, kLineStrip), region.action);
    }
  }

  void draw_region_names() {
    for (const BeliefInterval& region : regions_) {
      const double left = line_x_of(region.low);
      write_region_name(drawing_, box(left, strip_, line_x_of(region.high) - left, kLineStrip),
                        structure_.actions[region.action], kNormal, {});
    }
    drawing_.polygon(box(kLineLeft, strip_, kLineRight - kLineLeft, kLineStrip),
                     {{}, Pen{kInk, 1.2, {}}, 1.0});
  }

  void draw_axes() {
    for (int tick = 0; tick <= 4; ++tick) {
      const double y = y_of(tick / 4.0);
      drawing_.line({kLineLeft, y}, {kLineRight, y}, {tick == 0 ? kSoft : kRule, tick == 0 ? 1.0 : 0.6, {}});
      drawing_.text({{kLineLeft - 7, y + 4}, base::percent(tick / 4.0), kSmallText, Anchor::kEnd}, kSoft);
    }
    drawing_.text({{kMargin + 6, curves_ + kLineCurves / 2},
                   "how likely each action is",
                   kSmallText,
                   Anchor::kMiddle,
                   false,
                   -90},
                  kSoft);
  }

  // Each action's probability, with the interval of the draws behind it.
  void draw_curves() {
    const int actions = structure_.action_count();
    std::vector<std::vector<Point>> curves(actions), above(actions), below(actions);
    for (int i = 0; i <= kLineSamples; ++i) {
      const double belief = static_cast<double>(i) / kLineSamples;
      const auto fitted = policy_at(structure_, input_.model.agent.policy, belief);
      std::vector<std::vector<double>> drawn(actions);
      for (const AgentWorld& draw : input_.draws.draws) {
        const auto policy = policy_at(structure_, draw.agent.policy, belief);
        for (int a = 0; a < actions; ++a) drawn[a].push_back(policy[a]);
      }
      for (int a = 0; a < actions; ++a) {
        curves[a].push_back({line_x_of(belief), y_of(fitted[a])});
        if (drawn[a].empty()) continue;
        const Estimate interval = estimate_of(std::move(drawn[a]), input_.draws.level);
        above[a].push_back({line_x_of(belief), y_of(interval.high)});
        below[a].push_back({line_x_of(belief), y_of(interval.low)});
      }
    }
    for (int a = 0; a < actions; ++a) {
      std::vector<Point> band = above[a];
      band.insert(band.end(), below[a].rbegin(), below[a].rend());
      if (!band.empty()) drawing_.polygon(std::move(band), {palette_colour(a), {}, 0.25});
    }
    for (int a = 0; a < actions; ++a) drawing_.polyline(curves[a], {palette_colour(a), 2.2, dash_lengths(a)});
  }

  void draw_belief_axis() {
    const double y = strip_ + kLineStrip;
    for (int tick = 0; tick <= 10; ++tick) {
      const double x = line_x_of(tick / 10.0);
      drawing_.line({x, y}, {x, y + 6}, {kInk, 0.9, {}});
      drawing_.text({{x, y + 18}, base::percent(tick / 10.0), kSmallText, Anchor::kMiddle}, kSoft);
    }
    const auto write = [&](const std::string& text, double x, Anchor anchor, Colour colour) {
      const double third = (kLineRight - kLineLeft) / 3 - 8;
      const auto lines = balanced_lines(text, third, kNormal, kLineNameLines);
      names_end_ =
          std::max(names_end_, draw_lines(drawing_, {{x, y + 38}, "", kNormal, anchor}, lines, colour));
    };
    write("belief in " + structure_.states[1], (kLineLeft + kLineRight) / 2, Anchor::kMiddle, kInk);
    write("certain: " + structure_.states[0], kLineLeft, Anchor::kStart, kSoft);
    write("certain: " + structure_.states[1], kLineRight, Anchor::kEnd, kSoft);
  }

  double draw_counts() {
    const VisitCounts visits = count_visits(input_, kLineBins, [](std::span<const double> belief) {
      return std::optional(std::clamp(static_cast<int>(belief[1] * kLineBins), 0, kLineBins - 1));
    });
    const double top = names_end_ + 3;
    const double bottom = top + 16 + kLineCounts;
    for (int i = 0; i < kLineBins; ++i) {
      if (visits.counts[i] == 0) continue;
      const double share =
          visits.hidden[i] ? 0.08 : static_cast<double>(visits.counts[i]) / static_cast<double>(visits.most);
      const double height = std::max(1.0, share * kLineCounts);
      drawing_.rect(line_x_of(static_cast<double>(i) / kLineBins) + 1.5, bottom - height,
                    (kLineRight - kLineLeft) / kLineBins - 3, height, visit_look(visits.hidden[i] != 0));
    }
    drawing_.line({kLineLeft, bottom}, {kLineRight, bottom}, {kSoft, 1.0, {}});
    drawing_.text({{kLineLeft, top + 4}, visits.words(input_.min_cell), kSmallText}, kSoft);
    return bottom + 16;
  }

  const PolicyFigureInput& input_;
  const Structure& structure_;
  Drawing& drawing_;
  std::vector<BeliefInterval> regions_;
  std::vector<Boundary> boundaries_;
  double curves_ = 0.0;  // top of the curves, and of the strip below them
  double strip_ = 0.0;
  double names_end_ = 0.0;  // of the states' names below the axis
};

LegendEntry curve_entry(int action, const std::string& name) {
  return {[action](Drawing& drawing, Point at) {
            region_entry(action, "").sample(drawing, at);
            drawing.line({at.x - 13, at.y}, {at.x + 13, at.y},
                         {palette_colour(action), 2.2, dash_lengths(action)});
          },
          name};
}

}  // namespace

Drawing policy_line_figure(const PolicyFigureInput& input) {
  const Structure& structure = input.model.structure;
  Drawing drawing(kLineWidth, "Decision map: how likely each action is at each belief", policy_words(input));
  double y = draw_title(drawing, "How likely is each action, given the belief?");
  std::vector<LegendEntry> entries;
  entries.reserve(structure.actions.size());
  for (int a = 0; a < structure.action_count(); ++a) entries.push_back(curve_entry(a, structure.actions[a]));
  y = draw_legend_rows(drawing, {kLineLeft, y}, kLineRight - kLineLeft, entries);
  y = LineFigure(input, drawing).draw(y);
  const std::string grey = input.draws.draws.empty() ? ". " : "; grey: how far off these lines may be. ";
  finish_with_caption(
      drawing, y,
      "Curves: how likely each action is. Strip: the likeliest action; dashed lines: where it changes" +
          grey + draws_sentence(input.draws, "Bands and brackets"));
  return drawing;
}

}  // namespace interpole::report
