// Belief over time: one chart under the other, a line for each state with the interval of the draws, the
// decisions and their results below. Where visits have times they stand where they happened.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"
#include "interpole/estimate.hpp"
#include "interpole/report/drawing/palette.hpp"
#include "interpole/report/figures/trajectory_parts.hpp"
#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {
namespace {

constexpr double kBeliefsWidth = 760, kBeliefsLeft = 84;
constexpr double kBeliefsHeight = 170;
constexpr double kBeliefsResultText = 8.5;
constexpr int kBeliefsResultLines = 3;
constexpr double kBeliefsLeastStep = 40;  // between visits whose results are written

constexpr int kBeliefsNameLines = 2;

// What is named to the right of a chart: regions, or the ends of lines.
const std::vector<std::string>& side_names(const Structure& structure) {
  return structure.state_count() == 2 ? structure.actions : structure.states;
}

// Where charts end, so that the names beside them are not cut, or not by much.
double beliefs_right_edge(const Structure& structure) {
  constexpr double kLeastRoom = 122, kMostRoom = 240;
  double room = kLeastRoom;
  const auto fit = [&](const std::string& name) {
    return keeps_words(broken_lines(name, room, kSmallText, kBeliefsNameLines, true), name);
  };
  const auto& names = side_names(structure);
  while (room < kMostRoom && !std::all_of(names.begin(), names.end(), fit)) room += 6;
  return kBeliefsWidth - kMargin - 14 - room;
}

// Belief in every state at each point of the course, for every draw: intervals of [point][s].
std::vector<std::vector<Estimate>> belief_ranges(const RecordsFigureInput& input, const ShownRecord& record,
                                                 std::size_t points, int parts) {
  const std::size_t states = input.model.structure.states.size();
  std::vector<std::vector<std::vector<double>>> values(points, std::vector<std::vector<double>>(states));
  for (const AgentWorld& draw : input.draws.draws) {
    const Model drawn{input.model.structure, draw.agent, {}};
    const auto course = course_of(drawn, record, path_of(drawn, record), parts);
    for (std::size_t t = 0; t < std::min(points, course.size()); ++t) {
      for (std::size_t s = 0; s < states; ++s) values[t][s].push_back(course[t].belief[s]);
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
        moments_(moments_of(structure_, record, path_)),
        parts_(parts_of(path_)),
        course_(course_of(input.model, record, path_, parts_)),
        ranges_(belief_ranges(input, record, course_.size(), parts_)),
        top_(top),
        right_(beliefs_right_edge(structure_)) {
    const double room = right_ - kBeliefsLeft - 24;
    const double end = std::max(moments_.back(), structure_.timed() ? 1e-300 : 1.0);
    unit_ = structure_.timed() ? room / end : std::min(90.0, room / end);
    step_ = structure_.timed() ? room : unit_;
    if (!structure_.timed()) return;
    for (std::size_t t = 1; t < static_cast<std::size_t>(path_.decisions); ++t)
      step_ = std::min(step_, unit_ * (moments_[t] - moments_[t - 1]));
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

  std::string left_out() const {
    return left_out_words(record_, path_) +
           (shows_results() || structure_.timed()
                ? ""
                : record_.name + ": too many visits to write their results. ");
  }

 private:
  // Of visits at irregular times results have no room of their own.
  bool shows_results() const { return !structure_.timed() && step_ >= kBeliefsLeastStep; }
  // One line where more would push names too far from what they name.
  std::vector<std::string> name_lines(const std::string& name) const {
    const std::size_t names = side_names(structure_).size();
    const bool roomy =
        static_cast<double>(names * kBeliefsNameLines) * line_height(kSmallText) < kBeliefsHeight;
    return balanced_lines(name, kBeliefsWidth - kMargin - right_ - 14, kSmallText,
                          roomy ? kBeliefsNameLines : 1, true);
  }
  // Points between visits: fewer for each gap, the more gaps there are.
  static int parts_of(const RecordPath& path) {
    return std::clamp(static_cast<int>(120 / std::max<std::size_t>(1, path.beliefs.size())), 4, 30);
  }
  double x_at(double moment) const { return kBeliefsLeft + 12 + moment * unit_; }
  double x_of(std::size_t visit) const { return x_at(moments_[visit]); }
  double y_of(double belief) const { return top_ + kBeliefsHeight * (1.0 - belief); }

  void draw_regions() {
    const auto regions = decision_intervals(input_.model.agent.policy);
    double next_name = -1e9;
    for (auto region = regions.rbegin(); region != regions.rend(); ++region) {
      const double high = y_of(region->high);
      const double low = y_of(region->low);
      fill_region(drawing_, {{kBeliefsLeft, high}, {right_, high}, {right_, low}, {kBeliefsLeft, low}},
                  region->action);
      const auto lines = name_lines(structure_.actions[region->action]);
      const double middle =
          (high + low) / 2 + 4 - line_height(kSmallText) * (static_cast<double>(lines.size()) - 1) / 2;
      const double y = std::max(middle, next_name);
      next_name = draw_lines(drawing_, {{right_ + 10, y}, "", kSmallText, Anchor::kStart, true}, lines);
    }
  }

  void draw_axes() {
    for (int tick = 0; tick <= 4; ++tick) {
      const double y = y_of(tick / 4.0);
      drawing_.line({kBeliefsLeft, y}, {right_, y}, {tick == 0 ? kSoft : kRule, tick == 0 ? 1.0 : 0.6, {}});
      drawing_.text({{kBeliefsLeft - 7, y + 4}, base::percent(tick / 4.0), kSmallText, Anchor::kEnd}, kSoft);
    }
    const std::string title = structure_.state_count() == 2 ? "belief in " + structure_.states[1] : "belief";
    const auto lines = broken_lines(title, kBeliefsHeight, kSmallText, 2);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double x = kMargin + 8 - line_height(kSmallText) * static_cast<double>(lines.size() - 1 - i);
      drawing_.text({{x, top_ + kBeliefsHeight / 2}, lines[i], kSmallText, Anchor::kMiddle, false, -90},
                    kSoft);
    }
  }

  Colour colour_of(int state) const { return structure_.state_count() == 2 ? kInk : palette_colour(state); }

  std::vector<double> dash_of(int state) const {
    return structure_.state_count() == 2 ? std::vector<double>() : dash_lengths(state);
  }

  void draw_line(int state) {
    std::vector<Point> line, above, below;
    std::vector<Point> visits;
    for (std::size_t t = 0; t < course_.size(); ++t) {
      const double x = x_at(course_[t].at);
      line.push_back({x, y_of(course_[t].belief[state])});
      if (course_[t].visit >= 0) visits.push_back(line.back());
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
    for (const Point& point : visits) {
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
    order.resize(std::min<std::size_t>(order.size(), static_cast<std::size_t>(kBeliefsHeight / kApart)));
    std::vector<std::vector<std::string>> names;
    std::vector<double> tops, heights;  // first baselines
    for (const int s : order) {
      names.push_back(name_lines(structure_.states[s]));
      heights.push_back(kApart + line_height(kSmallText) * (static_cast<double>(names.back().size()) - 1));
      const double wanted = y_of(end[s]) + 4 - (heights.back() - kApart) / 2;
      tops.push_back(tops.empty() ? wanted : std::max(wanted, tops.back() + heights[tops.size() - 1]));
    }
    double lowest = top_ + kBeliefsHeight + 4 + kApart;
    for (std::size_t i = tops.size(); i-- > 0;) {
      tops[i] = std::min(tops[i], lowest - heights[i]);
      lowest = tops[i];
    }
    const double x = x_of(path_.beliefs.size() - 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double middle = tops[i] + (heights[i] - kApart) / 2 - 4;
      drawing_.line({x + 4, y_of(end[order[i]])}, {right_ + 7, middle}, {kRule, 0.7, {}});
      draw_lines(drawing_, {{right_ + 10, tops[i]}, "", kSmallText, Anchor::kStart, true}, names[i]);
    }
  }

  // Round times below the chart, and a mark for each visit.
  void draw_times() {
    const double end = moments_.back();
    const std::string unit = structure_.time->unit;
    drawing_.text({{kBeliefsLeft - 7, top_ + kBeliefsHeight + 18}, unit, kSmallText, Anchor::kEnd}, kSoft);
    const double apart = end > 0.0 ? round_apart(end / 8.0) : 1.0;
    for (int tick = 0; tick * apart <= end * (1.0 + 1e-9); ++tick) {
      drawing_.text({{x_at(tick * apart), top_ + kBeliefsHeight + 18},
                     fmt::format("{:.6g}", tick * apart),
                     kSmallText,
                     Anchor::kMiddle},
                    kSoft);
    }
    for (int t = 0; t < path_.decisions; ++t) {
      const double x = x_of(static_cast<std::size_t>(t));
      drawing_.line({x, top_ + kBeliefsHeight}, {x, top_ + kBeliefsHeight + 5}, {kSoft, 0.8, {}});
      draw_marker(drawing_, path_.actions[t], {x, top_ + kBeliefsHeight + 34},
                  std::clamp(0.36 * step_ + 1, 2.4, 4.6));
    }
    drawing_.text({{kBeliefsLeft - 7, top_ + kBeliefsHeight + 38}, "decision", kSmallText, Anchor::kEnd},
                  kSoft);
  }

  // The smallest of 1, 2 and 5 times a power of ten that is not below x.
  static double round_apart(double x) {
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    for (const double times : {1.0, 2.0, 5.0}) {
      if (times * power >= x * (1.0 - 1e-9)) return times * power;
    }
    return 10.0 * power;
  }

  // Visit numbers, as many as there is room for, and the decisions' markers.
  void draw_visits() {
    if (structure_.timed()) return draw_times();
    const double widest = label_width(std::to_string(path_.decisions), kSmallText) + 3;
    const int every = std::max(1, static_cast<int>(std::ceil(widest / step_)));
    drawing_.text({{kBeliefsLeft - 7, top_ + kBeliefsHeight + 18}, "visit", kSmallText, Anchor::kEnd}, kSoft);
    drawing_.text({{kBeliefsLeft - 7, top_ + kBeliefsHeight + 38}, "decision", kSmallText, Anchor::kEnd},
                  kSoft);
    if (path_.has_final() && step_ >= widest + 12) {
      drawing_.text({{x_of(static_cast<std::size_t>(path_.decisions)), top_ + kBeliefsHeight + 18},
                     "end",
                     kSmallText,
                     Anchor::kMiddle},
                    kSoft);
    }
    for (int t = 0; t < path_.decisions; ++t) {
      const double x = x_of(static_cast<std::size_t>(t));
      draw_marker(drawing_, path_.actions[t], {x, top_ + kBeliefsHeight + 34},
                  std::min(4.6, 0.36 * step_ + 1));
      if (t % every != 0) continue;
      drawing_.text({{x, top_ + kBeliefsHeight + 18}, std::to_string(t + 1), kSmallText, Anchor::kMiddle},
                    kSoft);
    }
  }

  // The first ones may not run into the row's name.
  std::vector<std::string> result_lines(int t, double width) const {
    const int z = record_.steps[t].observation;
    if (z == kMissing) return {};
    return broken_lines(structure_.outcome_name(z), std::min(width, 2 * (x_at(t + 0.5) - kBeliefsLeft)),
                        kBeliefsResultText, kBeliefsResultLines);
  }

  // Whether all results can be written in this width without a cut.
  bool results_fit(double width) const {
    for (int t = 0; t < path_.decisions; ++t) {
      const auto lines = result_lines(t, width);
      if (!lines.empty() && !keeps_words(lines, structure_.outcome_name(record_.steps[t].observation)))
        return false;
    }
    return true;
  }

  // A result stands between the visit it came of and the next belief. Long ones take turns in two rows, where
  // each has twice the room.
  double draw_results() {
    const double first = top_ + kBeliefsHeight + 56;
    if (!shows_results()) return first - 8;
    const int rows = results_fit(step_ - 4) ? 1 : 2;
    double y = first;
    for (int row = 0; row < rows; ++row) {
      double deepest = y;
      for (int t = row; t < path_.decisions; t += rows) {
        deepest = std::max(deepest,
                           draw_lines(drawing_, {{x_at(t + 0.5), y}, "", kBeliefsResultText, Anchor::kMiddle},
                                      result_lines(t, rows * step_ - 4)));
      }
      y = deepest + (row + 1 < rows ? 2 : 0);
    }
    drawing_.text({{kBeliefsLeft - 7, first}, "result", kSmallText, Anchor::kEnd}, kSoft);
    return y;
  }

  Drawing& drawing_;
  const RecordsFigureInput& input_;
  const Structure& structure_;
  const ShownRecord& record_;
  RecordPath path_;
  std::vector<double> moments_;  // of the path's beliefs: visits, or times since the first
  int parts_;                    // of gaps
  std::vector<CoursePoint> course_;
  std::vector<std::vector<Estimate>> ranges_;  // [point of the course]
  double top_;
  double right_;
  double unit_ = 0.0;  // of a visit, or of time
  double step_ = 0.0;  // between visits; of visits at irregular times, the shortest
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
  Drawing drawing(kBeliefsWidth, "Belief before each decision", "Inferred, not stated, beliefs. " + words);
  double y = draw_title(drawing, "What was believed before each decision?");
  std::vector<LegendEntry> entries;
  entries.reserve(taken.size());
  for (const int a : taken) entries.push_back(marker_entry(a, structure.actions[a]));
  y = draw_legend_rows(drawing, {kMargin, y}, kBeliefsWidth - 2 * kMargin, entries) + 12;
  std::string left_out;
  for (const ShownRecord& record : input.records) {
    draw_record_header(drawing, {kMargin, y}, kBeliefsWidth - 2 * kMargin, record);
    BeliefChart chart(drawing, input, record, y + header_height(record, kBeliefsWidth - 2 * kMargin) + 8);
    y = chart.draw();
    left_out += chart.left_out();
  }
  finish_with_caption(
      drawing, y,
      (structure.timed() ? "Lines: belief over time, drifting between visits and moved by what was seen at "
                           "them; markers below: visits, and what was done. "
                         : "Lines: belief before each visit's decision; markers below: what was done. ") +
          left_out + draws_sentence(input.draws, "Bands around the lines"));
  return drawing;
}

}  // namespace interpole::report
