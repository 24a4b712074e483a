// The bias audit as paired intervals: what the agent acts as if, and what is so, for every number learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

constexpr double kBiasWidth = 760, kBiasLeft = 300, kBiasRight = 620;
constexpr std::size_t kBiasMostRows = 30;
constexpr int kBiasNameLines = 4;
constexpr int kBiasAgent = 0, kBiasWorld = 1;  // colours

double bias_x_of(double probability) {
  return kBiasLeft + probability * (kBiasRight - kBiasLeft);
}

std::string finding_name(const Structure& structure, const BiasFinding& finding) {
  switch (finding.field) {
    case Field::kInitial:
      return fmt::format("{} at first", structure.states[finding.outcome]);
    case Field::kTransition:
      return fmt::format("{}: from {} to {}", structure.actions[finding.action],
                         structure.states[finding.state], structure.states[finding.outcome]);
    default:
      return fmt::format("{}: {} if {}", structure.actions[finding.action],
                         structure.observations[finding.outcome], structure.states[finding.state]);
  }
}

void draw_agent(Drawing& drawing, Point at) {
  drawing.disc(at, 4, {palette_colour(kBiasAgent), Pen{kWhite, 0.7, {}}, 1.0});
}

void draw_world(Drawing& drawing, Point at) {
  drawing.rect(at.x - 3.5, at.y - 3.5, 7, 7, {kWhite, Pen{palette_colour(kBiasWorld), 1.7, {}}, 1.0});
}

void draw_interval(Drawing& drawing, const Estimate& estimate, double y, const Pen& pen) {
  drawing.line({bias_x_of(estimate.low), y}, {bias_x_of(estimate.high), y}, pen);
}

void draw_axis(Drawing& drawing, double top, double bottom) {
  for (int tick = 0; tick <= 5; ++tick) {
    const double x = bias_x_of(tick / 5.0);
    drawing.line({x, top}, {x, bottom}, {kRule, 0.6, {}});
    drawing.text({{x, bottom + 16}, base::percent(tick / 5.0), kSmallText, Anchor::kMiddle}, kSoft);
  }
  drawing.line({kBiasLeft, bottom}, {kBiasRight, bottom}, {kInk, 1.0, {}});
  drawing.text({{(kBiasLeft + kBiasRight) / 2, bottom + 34}, "probability", kSmallText, Anchor::kMiddle},
               kSoft);
}

// "+6", "–17": percentage points, with a minus sign that every font has.
std::string points(double difference) {
  const auto rounded = static_cast<int>(std::lround(100 * difference));
  return rounded < 0 ? fmt::format("–{}", -rounded) : fmt::format("+{}", rounded);
}

std::vector<std::string> name_lines(const Structure& structure, const BiasFinding& finding) {
  return broken_lines(finding_name(structure, finding), kBiasLeft - kMargin - 18, kSmallText, kBiasNameLines,
                      finding.flagged);
}

double row_height(const Structure& structure, const BiasFinding& finding) {
  const auto lines = static_cast<double>(name_lines(structure, finding).size());
  return std::max(30.0, line_height(kSmallText) * lines + 10);
}

void draw_row(Drawing& drawing, const Structure& structure, const BiasFinding& finding, double y) {
  const auto lines = name_lines(structure, finding);
  const double middle = y + row_height(structure, finding) / 2;
  draw_lines(
      drawing,
      {{kBiasLeft - 14, middle + 4 - line_height(kSmallText) * (static_cast<double>(lines.size()) - 1) / 2},
       "",
       kSmallText,
       Anchor::kEnd,
       finding.flagged},
      lines);
  draw_interval(drawing, finding.agent, middle - 5, {palette_colour(kBiasAgent), 2.2, {}});
  draw_interval(drawing, finding.world, middle + 5, {palette_colour(kBiasWorld), 2.2, {4, 2}});
  draw_agent(drawing, {bias_x_of(finding.agent.middle), middle - 5});
  draw_world(drawing, {bias_x_of(finding.world.middle), middle + 5});
  drawing.text({{kBiasRight + 16, middle + 4},
                fmt::format("{} [{}, {}]", points(finding.difference.middle), points(finding.difference.low),
                            points(finding.difference.high)),
                kSmallText,
                Anchor::kStart,
                finding.flagged});
}

// Ground of the rows that stand out, gridlines, then the rows; returns where they end.
double draw_rows(Drawing& drawing, const Structure& structure, const std::vector<BiasFinding>& findings,
                 double top) {
  std::vector<double> y = {top};
  for (const BiasFinding& finding : findings) y.push_back(y.back() + row_height(structure, finding));
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].flagged) continue;
    drawing.rect(kMargin - 6, y[i], kBiasWidth - 2 * kMargin + 12, y[i + 1] - y[i],
                 {lightened(kRule, 0.28), {}, 1.0});
  }
  draw_axis(drawing, top, y.back());
  for (std::size_t i = 0; i < findings.size(); ++i) draw_row(drawing, structure, findings[i], y[i]);
  return y.back();
}

std::string bias_words(const Structure& structure, const std::vector<BiasFinding>& findings) {
  std::string words = "Inferred, not stated, beliefs.";
  for (const BiasFinding& finding : findings) {
    if (!finding.flagged) continue;
    words += fmt::format(" {}: agent {}, world {}.", finding_name(structure, finding),
                         base::percent(finding.agent.middle), base::percent(finding.world.middle));
  }
  return words;
}

}  // namespace

Drawing bias_figure(const Structure& structure, const AgentWorldComparison& found, const FigureDraws& draws,
                    double margin) {
  std::vector<BiasFinding> findings = found.audit.findings;
  // Numbers of measured factors have other units than probabilities have: the densities figure shows them.
  const std::size_t in_units =
      structure.measured()
          ? std::erase_if(findings,
                          [](const BiasFinding& finding) { return finding.field == Field::kObservation; })
          : 0;
  const bool any = std::ranges::any_of(findings, &BiasFinding::flagged);
  std::stable_sort(findings.begin(), findings.end(), [](const BiasFinding& x, const BiasFinding& y) {
    if (x.flagged != y.flagged) return x.flagged;
    return std::abs(x.difference.middle) > std::abs(y.difference.middle);
  });
  const std::size_t left_out = findings.size() - std::min(findings.size(), kBiasMostRows);
  findings.resize(findings.size() - left_out);
  Drawing drawing(kBiasWidth, "Bias audit: the agent's picture of the world beside the world",
                  bias_words(structure, findings));
  double y = draw_title(drawing, "Does the decision-maker see the world as it is?");
  y = draw_legend_rows(
      drawing, {kMargin, y}, kBiasWidth - 2 * kMargin,
      {{[](Drawing& d, Point at) {
          d.line({at.x - 13, at.y}, {at.x + 13, at.y}, {palette_colour(kBiasAgent), 2.2, {}});
          draw_agent(d, at);
        },
        "agent: as acted upon"},
       {[](Drawing& d, Point at) {
          d.line({at.x - 13, at.y}, {at.x + 13, at.y}, {palette_colour(kBiasWorld), 2.2, {4, 2}});
          draw_world(d, at);
        },
        "world: as recorded"}});
  drawing.text({{kBiasRight + 16, y + 12}, "agent minus world", kSmallText}, kSoft);
  y = draw_rows(drawing, structure, findings, y + 20);
  std::string caption = found.sentences.empty() ? "" : found.sentences.front() + " ";
  if (found.checks.checks.empty()) {
    for (const std::string& why : found.checks.not_checked) caption += fmt::format("Not checked: {}. ", why);
  }
  caption += "On the right: the difference in percentage points. ";
  if (any) caption += fmt::format("Bold on grey: stands out by more than {:.0f} points. ", 100 * margin);
  if (left_out > 0) caption += fmt::format("{} numbers with smaller differences are not shown. ", left_out);
  if (in_units > 0) {
    caption +=
        fmt::format("{} numbers of measured factors are not probabilities and are not shown. ", in_units);
  }
  finish_with_caption(drawing, y + 50, caption + draws_sentence(draws, "Intervals"));
  return drawing;
}

}  // namespace interpole::report
