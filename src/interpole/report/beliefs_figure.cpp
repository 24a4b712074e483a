// Belief over time: one chart under the other, a line for each state with the interval of the draws, the
// decisions and their results below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "interpole/base/error.hpp"
#include "interpole/explain/estimate.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/trajectory_parts.hpp"

namespace interpole {
namespace {

constexpr double kWidth = 760, kLeft = 84, kRight = 600;
constexpr double kHeight = 170;
constexpr double kNames = kWidth - kMargin - kRight - 14;  // room for names to the right
constexpr int kResultLines = 3;

// Belief in every state before each decision, for every draw: intervals of [t][s].
std::vector<std::vector<Estimate>> belief_ranges(const RecordsFigureInput& input, const ShownRecord& record,
                                                 std::size_t points) {
  const std::size_t states = input.model.structure.states.size();
  std::vector<std::vector<std::vector<double>>> values(points, std::vector<std::vector<double>>(states));
  for (const Explanation& draw : input.draws.draws) {
    const Model drawn{input.model.structure, draw.agent, {}};
    const RecordPath path = path_of(drawn, record);
    for (std::size_t t = 0; t < std::min(points, path.beliefs.size()); ++t) {
      for (std::size_t s = 0; s < states; ++s) values[t][s].push_back(path.beliefs[t][s]);
    }
  }
  std::vector<std::vector<Estimate>> ranges(points);
  for (std::size_t t = 0; t < points; ++t) {
    for (auto& of_state : values[t]) {
      if (!of_state.empty()) ranges[t].push_back(estimate_of(std::move(of_state), input.draws.level));
    }
  }
  return ranges;
}

class BeliefChart {
 public:
  BeliefChart(Drawing& drawing, const RecordsFigureInput& input, const ShownRecord& record, double top)
      : drawing_(drawing),
        input_(input),
        structure_(input.model.structure),
        record_(record),
        path_(path_of(input.model, record)),
        ranges_(belief_ranges(input, record, path_.beliefs.size())),
        top_(top) {
    const auto gaps = static_cast<double>(std::max<std::size_t>(1, path_.beliefs.size() - 1));
    step_ = std::min(90.0, (kRight - kLeft - 24) / gaps);
  }

  // Returns where the next chart may begin.
  double draw() {
    if (structure_.state_count() == 2) draw_regions();
    draw_axes();
    if (structure_.state_count() == 2) {
      draw_line(1);
    } else {
      for (int s = 0; s < structure_.state_count(); ++s) draw_line(s);
      draw_line_names();
    }
    draw_visits();
    return draw_results() + 24;
  }

  std::string left_out() const { return left_out_words(record_, path_); }

 private:
  double x_of(double point) const { return kLeft + 12 + point * step_; }
  double y_of(double belief) const { return top_ + kHeight * (1.0 - belief); }

  void draw_regions() {
    const auto regions = decision_intervals(input_.model.agent.policy);
    double name_above = -1e9;
    for (auto region = regions.rbegin(); region != regions.rend(); ++region) {
      const double high = y_of(region->high);
      const double low = y_of(region->low);
      fill_region(drawing_, {{kLeft, high}, {kRight, high}, {kRight, low}, {kLeft, low}}, region->action);
      const double y = std::max((high + low) / 2 + 4, name_above + line_height(kSmallText));
      name_above = y;
      drawing_.text({{kRight + 10, y},
                     on_one_line(structure_.actions[region->action], kNames, kSmallText, true),
                     kSmallText,
                     Anchor::kStart,
                     true});
    }
  }

  void draw_axes() {
    for (int tick = 0; tick <= 4; ++tick) {
      const double y = y_of(tick / 4.0);
      drawing_.line({kLeft, y}, {kRight, y}, {tick == 0 ? kSoft : kRule, tick == 0 ? 1.0 : 0.6, {}});
      drawing_.text({{kLeft - 7, y + 4}, percent(tick / 4.0), kSmallText, Anchor::kEnd}, kSoft);
    }
    const std::string title = structure_.state_count() == 2 ? "belief in " + structure_.states[1] : "belief";
    drawing_.text({{kMargin + 8, top_ + kHeight / 2},
                   on_one_line(title, kHeight, kSmallText),
                   kSmallText,
                   Anchor::kMiddle,
                   false,
                   -90},
                  kSoft);
  }

  Colour colour_of(int state) const { return structure_.state_count() == 2 ? kInk : palette_colour(state); }

  std::vector<double> dash_of(int state) const {
    return structure_.state_count() == 2 ? std::vector<double>() : dash_lengths(state);
  }

  void draw_line(int state) {
    std::vector<Point> line, above, below;
    for (std::size_t t = 0; t < path_.beliefs.size(); ++t) {
      const double x = x_of(static_cast<double>(t));
      line.push_back({x, y_of(path_.beliefs[t][state])});
      if (ranges_[t].empty()) continue;
      above.push_back({x, y_of(ranges_[t][state].high)});
      below.push_back({x, y_of(ranges_[t][state].low)});
    }
    if (!above.empty() && line.size() == 1) {  // one point: its interval is a bar
      drawing_.line(above[0], below[0], {lightened(colour_of(state), 0.5), 3, {}});
    }
    above.insert(above.end(), below.rbegin(), below.rend());
    if (line.size() > 1 && !above.empty()) drawing_.polygon(above, {colour_of(state), {}, 0.25});
    if (line.size() > 1) drawing_.polyline(line, {colour_of(state), 1.8, dash_of(state)});
    for (const Point& point : line) {
      drawing_.disc(point, step_ < 14 ? 1.6 : 2.6, {colour_of(state), Pen{kWhite, 0.6, {}}, 1.0});
    }
  }

  // At the ends of the lines, pushed apart where these end close together; too many states: the likeliest.
  void draw_line_names() {
    constexpr double kApart = 13;
    const auto& end = path_.beliefs.back();
    std::vector<int> order(structure_.states.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return end[a] > end[b]; });
    order.resize(std::min<std::size_t>(order.size(), static_cast<std::size_t>(kHeight / kApart)));
    std::vector<double> y;
    for (const int s : order) {
      const double wanted = y_of(end[s]) + 4;
      y.push_back(y.empty() ? wanted : std::max(wanted, y.back() + kApart));
    }
    for (std::size_t i = y.size(); i-- > 0;) {
      y[i] = std::min(y[i], i + 1 == y.size() ? top_ + kHeight + 4 : y[i + 1] - kApart);
    }
    const double x = x_of(static_cast<double>(path_.beliefs.size()) - 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      drawing_.line({x + 4, y_of(end[order[i]])}, {kRight + 7, y[i] - 4}, {kRule, 0.7, {}});
      drawing_.text({{kRight + 10, y[i]},
                     on_one_line(structure_.states[order[i]], kNames, kSmallText, true),
                     kSmallText,
                     Anchor::kStart,
                     true},
                    kInk);
    }
  }

  // Visit numbers, as many as there is room for, and the decisions' markers.
  void draw_visits() {
    const double widest = label_width(std::to_string(path_.decisions), kSmallText) + 3;
    const int every = std::max(1, static_cast<int>(std::ceil(widest / step_)));
    drawing_.text({{kLeft - 7, top_ + kHeight + 18}, "visit", kSmallText, Anchor::kEnd}, kSoft);
    drawing_.text({{kLeft - 7, top_ + kHeight + 38}, "decision", kSmallText, Anchor::kEnd}, kSoft);
    if (path_.has_final() && step_ >= widest + 12) {
      drawing_.text({{x_of(path_.decisions), top_ + kHeight + 18}, "end", kSmallText, Anchor::kMiddle},
                    kSoft);
    }
    for (int t = 0; t < path_.decisions; ++t) {
      const double x = x_of(t);
      draw_marker(drawing_, path_.actions[t], {x, top_ + kHeight + 34}, std::min(4.6, 0.36 * step_ + 1));
      if (t % every != 0) continue;
      drawing_.text({{x, top_ + kHeight + 18}, std::to_string(t + 1), kSmallText, Anchor::kMiddle}, kSoft);
    }
  }

  // A result stands between the visit it came of and the next belief.
  double draw_results() {
    const double row = top_ + kHeight + 56;
    if (step_ < 40) return row - 8;
    double deepest = row - 8;
    for (int t = 0; t < path_.decisions; ++t) {
      const int z = record_.steps[t].observation;
      if (z == kMissing) continue;
      const auto lines = broken_lines(structure_.observations[z], step_ - 4, 8.5, kResultLines);
      deepest =
          std::max(deepest, draw_lines(drawing_, {{x_of(t + 0.5), row}, "", 8.5, Anchor::kMiddle}, lines));
    }
    drawing_.text({{kLeft - 7, row}, "result", kSmallText, Anchor::kEnd}, kSoft);
    return deepest;
  }

  Drawing& drawing_;
  const RecordsFigureInput& input_;
  const Structure& structure_;
  const ShownRecord& record_;
  RecordPath path_;
  std::vector<std::vector<Estimate>> ranges_;
  double top_;
  double step_ = 0.0;
};

}  // namespace

Drawing beliefs_figure(const RecordsFigureInput& input) {
  const Structure& structure = input.model.structure;
  if (structure.state_count() == 1)
    throw input_error("the model has one state, so there is no belief to draw; it needs at least two");
  std::string words;
  std::set<int> taken;
  for (const ShownRecord& record : input.records) {
    const RecordPath path = path_of(input.model, record);
    words += path_words(input.model, record, path) + " ";
    taken.insert(path.actions.begin(), path.actions.end());
  }
  Drawing drawing(kWidth, "Belief before each decision", "Inferred, not stated, beliefs. " + words);
  double y = draw_title(drawing, "What was believed before each decision?");
  std::vector<LegendEntry> entries;
  entries.reserve(taken.size());
  for (const int a : taken) entries.push_back(marker_entry(a, structure.actions[a]));
  y = draw_legend_rows(drawing, {kMargin, y}, kWidth - 2 * kMargin, entries) + 12;
  std::string left_out;
  for (const ShownRecord& record : input.records) {
    draw_record_header(drawing, {kMargin, y}, kWidth - 2 * kMargin, record);
    BeliefChart chart(drawing, input, record, y + header_height(record, kWidth - 2 * kMargin) + 8);
    y = chart.draw();
    left_out += chart.left_out();
  }
  finish_with_caption(drawing, y,
                      "Lines: belief before each visit's decision; markers below: what was done. " +
                          left_out + draws_sentence(input.draws, "Bands around the lines"));
  return drawing;
}

}  // namespace interpole
