// Belief over steps. Below the plot two rows tell, step by step, what was done and what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/report/belief_path.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/sentences.hpp"

namespace interpole {
namespace {

constexpr double kWidth = 880, kHeight = 290, kLeft = 72, kMostRight = 724, kEdge = 876;
constexpr double kTop = 12, kBottom = 196, kStepRow = 218, kDecisionRow = 244, kResultRow = 270;
constexpr double kWidestStep = 104, kNarrowestFrame = 208;
constexpr double kSmall = 11.5;            // font size of labels
constexpr double kNarrowestGlyphStep = 5;  // pixels; closer steps than this cannot be told apart
constexpr int kMostLines = 8;

double y_of(double belief) {
  return kBottom - belief * (kBottom - kTop);
}

// Where steps stand: short records get a short frame, long ones are squeezed into the widest.
struct Scale {
  double step;
  double right;

  explicit Scale(int points) {
    step = std::min(kWidestStep, (kMostRight - kLeft) / points);
    right = std::max(kLeft + kNarrowestFrame, kLeft + step * points);
  }
  double x(double point) const { return kLeft + step * (point + 0.5); }
  double radius() const { return std::clamp(0.4 * step, 1.5, 5.5); }
  bool glyphs_fit() const { return step >= kNarrowestGlyphStep; }
};

// 1, 2, 5, 10, 20, …: the first at which numbers do not run into each other.
int steps_per_number(const Scale& scale) {
  constexpr double kRoom = 34;
  for (int decade = 1;; decade *= 10) {
    for (const int factor : {1, 2, 5}) {
      if (decade * factor * scale.step >= kRoom || decade >= 100'000'000) return decade * factor;
    }
  }
}

void draw_axes(Svg& svg, const Scale& scale, const BeliefTrace& trace, const std::string& what) {
  for (int tick = 0; tick <= 4; ++tick) {
    const double y = y_of(tick / 4.0);
    svg.line({kLeft, y}, {scale.right, y}, tick == 0 ? "axis" : "grid");
    svg.text({kLeft - 8, y + 4}, Anchor::kEnd, "small", percent(tick / 4.0));
  }
  svg.upright_text({14, (kTop + kBottom) / 2}, "small", shortened(what, kBottom - kTop, kSmall));
  const int every = steps_per_number(scale);
  svg.text({kLeft - 8, kStepRow}, Anchor::kEnd, "small", "step");
  for (int i = 0; i < trace.decisions; ++i) {
    if (i != 0 && (i + 1) % every != 0) continue;
    svg.text({scale.x(i), kStepRow}, Anchor::kMiddle, "small", std::to_string(i + 1));
  }
}

void draw_bands(Svg& svg, const Scale& scale, const Model& model) {
  for (const BeliefInterval& region : decision_intervals(model.agent.policy)) {
    const double top = y_of(region.high);
    const double height = y_of(region.low) - top;
    const std::string& name = model.structure.actions[region.action];
    svg.open_with_hint(name);
    svg.rect(kLeft, top, scale.right - kLeft, height, "region", action_fill(region.action));
    if (height >= 13) {
      svg.text({scale.right + 8, top + height / 2 + 4}, Anchor::kStart, "small",
               shortened(name, kEdge - scale.right - 8, kSmall));
    }
    svg.close();
    if (region.high < 1.0) svg.line({kLeft, top}, {scale.right, top}, "boundary");
  }
}

// One line, thinned to the highest and lowest belief per pixel where a record has more steps than the drawing
// has pixels.
std::vector<Point> line_of(const Scale& scale, const BeliefTrace& trace, int state) {
  std::vector<Point> points;
  for (int i = 0; i < trace.points();) {
    int low = i;
    int high = i;
    int end = i;
    while (end < trace.points() && (end == i || scale.x(end) < scale.x(i) + 1.0)) {
      if (trace.at(end)[state] < trace.at(low)[state]) low = end;
      if (trace.at(end)[state] > trace.at(high)[state]) high = end;
      ++end;
    }
    for (const int k : {std::min(low, high), std::max(low, high)}) {
      points.push_back({scale.x(k), y_of(trace.at(k)[state])});
      if (low == high) break;
    }
    i = end;
  }
  return points;
}

void draw_single_line(Svg& svg, const Scale& scale, const BeliefTrace& trace, int state) {
  svg.polyline(line_of(scale, trace, state), "trail");
  if (!scale.glyphs_fit()) return;
  for (int i = 0; i < trace.points(); ++i) {
    const Point at{scale.x(i), y_of(trace.at(i)[state])};
    if (i < trace.decisions) {
      draw_action(svg, trace.step(i).action, at, scale.radius());
    } else {
      svg.circle(at, scale.radius() - 1, "after");
    }
  }
}

// The states that were ever believed in most, at most kMostLines of them, in their own order.
std::vector<int> states_to_draw(const BeliefTrace& trace) {
  std::vector<double> peak(trace.states, 0.0);
  for (int i = 0; i < trace.points(); ++i) {
    for (int s = 0; s < trace.states; ++s) peak[s] = std::max(peak[s], trace.at(i)[s]);
  }
  std::vector<int> order(trace.states);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return peak[a] > peak[b]; });
  order.resize(std::min(trace.states, kMostLines));
  std::sort(order.begin(), order.end());
  return order;
}

// Labels at the ends of the lines, pushed apart where the lines end close together.
void draw_line_labels(Svg& svg, const Scale& scale, const BeliefTrace& trace, const Structure& structure,
                      std::vector<int> states) {
  constexpr double kGap = 14;
  const auto end = trace.at(trace.points() - 1);
  std::stable_sort(states.begin(), states.end(), [&](int a, int b) { return end[a] > end[b]; });
  std::vector<double> y(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    y[i] = y_of(end[states[i]]);
    if (i > 0) y[i] = std::max(y[i], y[i - 1] + kGap);
  }
  for (std::size_t i = states.size(); i-- > 0;) {
    y[i] = std::min(y[i], i + 1 == states.size() ? kBottom : y[i + 1] - kGap);
  }
  const double x = scale.right + 8;
  for (std::size_t i = 0; i < states.size(); ++i) {
    svg.line({scale.x(trace.points() - 1) + 3, y_of(end[states[i]])}, {x - 2, y[i]}, "grid");
    svg.text({x, y[i] + 4}, Anchor::kStart, "small",
             shortened(structure.states[states[i]], kEdge - x, kSmall));
  }
}

void draw_state_lines(Svg& svg, const Scale& scale, const BeliefTrace& trace, const Structure& structure) {
  const auto states = states_to_draw(trace);
  for (const int s : states) {
    svg.open_with_hint(structure.states[s]);
    svg.polyline(line_of(scale, trace, s), "trail", dashes(s));
    if (trace.points() == 1) svg.circle({scale.x(0), y_of(trace.at(0)[s])}, 3, "after");
    svg.close();
  }
  draw_line_labels(svg, scale, trace, structure, states);
}

// Words stand beside all glyphs of a row or beside none of them.
bool names_fit(const Scale& scale, const BeliefTrace& trace, const Structure& structure, bool results) {
  double widest = 0.0;
  for (int i = 0; i < trace.decisions; ++i) {
    const Step& step = trace.step(i);
    if (results && step.observation != kMissing) {
      widest = std::max(widest, text_width(structure.observations[step.observation]));
    }
    if (!results && i + 1 < trace.points())
      widest = std::max(widest, text_width(structure.actions[step.action]));
  }
  return widest * kSmall + 2 * scale.radius() + 10 <= scale.step;
}

void draw_decisions(Svg& svg, const Scale& scale, const BeliefTrace& trace, const Structure& structure) {
  const bool named_all = names_fit(scale, trace, structure, false);
  svg.text({kLeft - 8, kDecisionRow + 4}, Anchor::kEnd, "small", "decision");
  for (int i = 0; i < trace.decisions; ++i) {
    const std::string& name = structure.actions[trace.step(i).action];
    draw_action(svg, trace.step(i).action, {scale.x(i), kDecisionRow}, scale.radius());
    const bool last = i + 1 == trace.decisions;  // nothing stands to its right
    if (!last && !named_all) continue;
    const double x = scale.x(i) + scale.radius() + 4;
    svg.text({x, kDecisionRow + 4}, Anchor::kStart, "small",
             shortened(name, last ? kEdge - x : scale.step, kSmall));
  }
}

// A result stands between the decision it came of and the next.
void draw_results(Svg& svg, const Scale& scale, const BeliefTrace& trace, const Structure& structure) {
  const bool named_all = names_fit(scale, trace, structure, true);
  svg.text({kLeft - 8, kResultRow + 4}, Anchor::kEnd, "small", "result");
  for (int i = 0; i < trace.decisions; ++i) {
    const Step& step = trace.step(i);
    if (structure.is_terminal(step.action)) continue;
    const double x = scale.x(i + 0.5);
    draw_outcome(svg, step.observation, {x, kResultRow}, 0.9 * scale.radius());
    if (!named_all || step.observation == kMissing) continue;
    svg.text({x + scale.radius() + 4, kResultRow + 4}, Anchor::kStart, "small",
             structure.observations[step.observation]);
  }
}

std::string axis_title(const Structure& structure) {
  if (structure.state_count() <= 2) return "belief in " + structure.states.back();
  if (structure.state_count() <= kMostLines) return "belief";
  return fmt::format("belief: {} of {} states", kMostLines, structure.state_count());
}

}  // namespace

Markup belief_chart(const Model& model, const BeliefTrace& trace, const std::string& id,
                    const std::string& title) {
  const Structure& structure = model.structure;
  const Scale scale(trace.points());
  Svg svg(id, kWidth, kHeight, title + ": belief before each decision", trace_sentence(model, trace));
  if (trace.states == 2) draw_bands(svg, scale, model);
  draw_axes(svg, scale, trace, axis_title(structure));
  if (trace.states <= 2) {
    draw_single_line(svg, scale, trace, trace.states - 1);
  } else {
    draw_state_lines(svg, scale, trace, structure);
  }
  if (scale.glyphs_fit()) {
    draw_decisions(svg, scale, trace, structure);
    draw_results(svg, scale, trace, structure);
  } else {
    svg.text({kLeft, kDecisionRow + 4}, Anchor::kStart, "small",
             "too many steps to draw each decision and result; the table has them");
  }
  return svg.finish();
}

}  // namespace interpole
