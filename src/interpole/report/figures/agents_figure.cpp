// Minds side by side over one belief: on top where each of them goes with the same results, in the middle how
// likely the action is, below where the likeliest action changes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpole/base/number_text.hpp"
#include "interpole/belief.hpp"
#include "interpole/error.hpp"
#include "interpole/report/drawing/palette.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_style.hpp"
#include "interpole/report/geometry/geometry.hpp"

namespace interpole::report {
namespace {

constexpr double kEnsembleWidth = 760, kEnsembleLeft = 216, kEnsembleRight = 730;
constexpr double kEnsembleCurves = 220;  // height
constexpr double kEnsembleRow = 21;      // of a mind in the strips
constexpr double kEnsembleRadius = 4.6;
constexpr int kEnsembleSamples = 200;

double ensemble_x_of(double belief) {
  return kEnsembleLeft + belief * (kEnsembleRight - kEnsembleLeft);
}

// Belief in the first state before any result and after each.
std::vector<double> agent_path_of(const AgentsFigureInput& input, const Parameters& agent) {
  std::vector<double> belief = agent.dynamics.initial;
  std::vector<double> next(belief.size());
  std::vector<double> path = {belief[0]};
  for (const int outcome : input.outcomes) {
    if (update_belief(input.structure, agent.dynamics, input.action, outcome, belief, next) <= 0.0) break;
    belief.swap(next);
    path.push_back(belief[0]);
  }
  return path;
}

// Beliefs in the first state at which the likeliest action changes, ascending.
std::vector<double> ensemble_boundaries_of(const Policy& policy) {
  std::vector<double> boundaries;
  const auto regions = decision_intervals(policy);  // by belief in the second state
  for (std::size_t i = regions.size(); i-- > 1;) boundaries.push_back(1.0 - regions[i].low);
  return boundaries;
}

Pen pen_of(int which, double width) {
  return {palette_colour(which), width, dash_lengths(which)};
}

class AgentsFigure {
 public:
  AgentsFigure(const AgentsFigureInput& input, Drawing& drawing) : input_(input), drawing_(drawing) {}

  // Everything from `top` on; returns where the caption may begin.
  double draw(double top) {
    const double rows = kEnsembleRow * static_cast<double>(input_.agents.size());
    paths_ = top + 18;
    curves_ = paths_ + rows + 14;
    boundaries_ = curves_ + kEnsembleCurves + 52;
    drawing_.text({{kMargin, top + 10}, heading_of_paths(), kSmallText}, kSoft);
    draw_axes();
    for (int which = 0; which < static_cast<int>(input_.agents.size()); ++which) draw_boundaries(which);
    for (int which = 0; which < static_cast<int>(input_.agents.size()); ++which) draw_curve(which);
    for (int which = 0; which < static_cast<int>(input_.agents.size()); ++which) draw_path(which);
    drawing_.text({{kMargin, boundaries_ - 2}, "Where the likeliest action changes", kSmallText}, kSoft);
    return boundaries_ + rows + 20;
  }

 private:
  double y_of(double probability) const { return curves_ + kEnsembleCurves * (1.0 - probability); }
  double path_row(int which) const { return paths_ + kEnsembleRow * (which + 0.5); }
  double boundary_row(int which) const { return boundaries_ + 8 + kEnsembleRow * (which + 0.5); }

  std::string heading_of_paths() const {
    std::string results;
    for (const int outcome : input_.outcomes) {
      results += (results.empty() ? "" : ", ") + input_.structure.outcome_name(outcome);
    }
    return on_one_line(fmt::format("Belief before any result, and as results come in: {}", results),
                       kEnsembleWidth - 2 * kMargin, kSmallText);
  }

  void draw_name(int which, double y) {
    drawing_.line({kMargin, y}, {kMargin + 30, y}, pen_of(which, 2.2));
    draw_marker(drawing_, which, {kMargin + 15, y}, kEnsembleRadius);
    drawing_.text({{kMargin + 38, y + 4},
                   on_one_line(input_.agents[which].name, kEnsembleLeft - kMargin - 52, kSmallText),
                   kSmallText});
  }

  void draw_axes() {
    for (int tick = 0; tick <= 4; ++tick) {
      const double y = y_of(tick / 4.0);
      drawing_.line({kEnsembleLeft, y}, {kEnsembleRight, y},
                    {tick == 0 ? kSoft : kRule, tick == 0 ? 1.0 : 0.6, {}});
      drawing_.text({{kEnsembleLeft - 7, y + 4}, base::percent(tick / 4.0), kSmallText, Anchor::kEnd}, kSoft);
    }
    const auto lines =
        broken_lines(fmt::format("how likely “{}” is", input_.structure.actions[input_.action]),
                     kEnsembleLeft - kMargin - 48, kSmallText, 3);
    const double height = line_height(kSmallText) * static_cast<double>(lines.size());
    draw_lines(drawing_, {{kMargin, curves_ + (kEnsembleCurves - height) / 2 + kSmallText}, "", kSmallText},
               lines, kSoft);
    const double bottom = curves_ + kEnsembleCurves;
    for (int tick = 0; tick <= 10; ++tick) {
      const double x = ensemble_x_of(tick / 10.0);
      drawing_.line({x, bottom}, {x, bottom + 5}, {kInk, 0.9, {}});
      drawing_.text({{x, bottom + 16}, base::percent(tick / 10.0), kSmallText, Anchor::kMiddle}, kSoft);
    }
    drawing_.text(
        {{(kEnsembleLeft + kEnsembleRight) / 2, bottom + 33},
         on_one_line("belief in " + input_.structure.states[0], kEnsembleRight - kEnsembleLeft, kNormal),
         kNormal,
         Anchor::kMiddle});
  }

  void draw_curve(int which) {
    std::vector<Point> curve;
    for (int i = 0; i <= kEnsembleSamples; ++i) {
      const double belief = static_cast<double>(i) / kEnsembleSamples;
      const auto policy = action_probabilities(input_.structure, input_.agents[which].agent.policy,
                                               std::array<double, 2>{belief, 1.0 - belief});
      curve.push_back({ensemble_x_of(belief), y_of(policy[input_.action])});
    }
    drawing_.polyline(std::move(curve), pen_of(which, 2.2));
  }

  void draw_path(int which) {
    const double y = path_row(which);
    draw_name(which, y);
    drawing_.line({kEnsembleLeft, y}, {kEnsembleRight, y}, {kRule, 0.6, {}});
    const std::vector<double> path = agent_path_of(input_, input_.agents[which].agent);
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double direction = path[i] < path[i - 1] ? -1.0 : 1.0;
      drawing_.arrow(
          {{ensemble_x_of(path[i - 1]), y}, {ensemble_x_of(path[i]) - direction * (kEnsembleRadius + 2), y}},
          {palette_colour(which), 1.6, {}}, 5.0);
    }
    for (const double belief : path)
      draw_marker(drawing_, which, {ensemble_x_of(belief), y}, kEnsembleRadius);
  }

  // A line through the curves down to the mind's row, where its value stands: the first to its left, others
  // to their right, none where there is no room.
  void draw_boundaries(int which) {
    const double y = boundary_row(which);
    draw_name(which, y);
    drawing_.line({kEnsembleLeft, y}, {kEnsembleRight, y}, {kRule, 0.6, {}});
    double free_from = kEnsembleLeft;
    bool first = true;
    for (const double boundary : ensemble_boundaries_of(input_.agents[which].agent.policy)) {
      const double x = ensemble_x_of(boundary);
      drawing_.segments({{{x, curves_}, {x, curves_ + kEnsembleCurves}}}, pen_of(which, 1.0));
      draw_marker(drawing_, which, {x, y}, kEnsembleRadius);
      const std::string value = base::fine_percent(boundary);
      const double width = label_width(value, kSmallText, true);
      const bool left = first && x - kEnsembleRadius - 4 - width > free_from;
      const double begin = left ? x - kEnsembleRadius - 4 - width : x + kEnsembleRadius + 4;
      first = false;
      if (begin < free_from || begin + width > kEnsembleWidth - 2) continue;
      const Point at{left ? x - kEnsembleRadius - 4 : begin, y + 4};
      drawing_.text({at, value, kSmallText, left ? Anchor::kEnd : Anchor::kStart, true}, kInk, true);
      free_from = std::max(x + kEnsembleRadius, begin + width) + 3;
    }
  }

  const AgentsFigureInput& input_;
  Drawing& drawing_;
  double paths_ = 0.0, curves_ = 0.0, boundaries_ = 0.0;  // tops
};

// The figure in words.
std::string minds_words(const AgentsFigureInput& input) {
  std::string words = "Inferred, not stated, beliefs.";
  for (const ShownAgent& which : input.agents) {
    std::vector<std::string> path, boundaries;
    for (const double belief : agent_path_of(input, which.agent)) path.push_back(base::fine_percent(belief));
    for (const double boundary : ensemble_boundaries_of(which.agent.policy))
      boundaries.push_back(base::fine_percent(boundary));
    words += fmt::format(" {}: belief in {} goes {}; the likeliest action changes at {}.", which.name,
                         input.structure.states[0], fmt::join(path, ", "),
                         boundaries.empty() ? "no belief" : fmt::format("{}", fmt::join(boundaries, ", ")));
  }
  return words;
}

}  // namespace

Drawing agents_figure(const AgentsFigureInput& input) {
  if (input.structure.state_count() != 2) {
    throw input_error(fmt::format("the figure compares beliefs over two states; there are {}",
                                  input.structure.state_count()));
  }
  Drawing drawing(kEnsembleWidth, "Minds side by side: beliefs, policy and decision boundaries",
                  minds_words(input));
  const double top = draw_title(drawing, "Same behaviour, different beliefs?");
  const double bottom = AgentsFigure(input, drawing).draw(top);
  finish_with_caption(
      drawing, bottom,
      fmt::format("Thin vertical lines: the boundaries whose values stand below. {}. After the "
                  "paper's Figure 5.",
                  input.source));
  return drawing;
}

}  // namespace interpole::report
