// Two states: the belief is one number, so the map is a line with the policy's curves above and the data
// below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpole/model/belief.hpp"
#include "interpole/report/decision_map.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/sentences.hpp"

namespace interpole {
namespace {

constexpr double kWidth = 880, kHeight = 476, kLeft = 66, kRight = 858;
constexpr double kCurvesTop = 44, kCurvesBottom = 264;
constexpr double kStripTop = 272, kStripBottom = 312;
constexpr double kCountsTop = 400, kCountsBottom = 456;
constexpr int kBins = 20;
constexpr int kSamples = 240;

double x_of(double belief) {
  return kLeft + belief * (kRight - kLeft);
}

double y_of(double probability) {
  return kCurvesBottom - probability * (kCurvesBottom - kCurvesTop);
}

std::vector<double> policy_at(const Model& model, double belief) {
  const std::array<double, 2> both = {1.0 - belief, belief};
  return action_probabilities(model.structure, model.agent.policy, both);
}

void draw_regions(Svg& svg, const Structure& structure, const std::vector<BeliefInterval>& regions) {
  for (const BeliefInterval& region : regions) {
    const double left = x_of(region.low);
    const double width = x_of(region.high) - left;
    const std::string& name = structure.actions[region.action];
    const std::string colour = action_colour(region.action);
    svg.open_with_hint(
        fmt::format("{}: {} to {}", name, fine_percent(region.low), fine_percent(region.high)));
    svg.rect(left, kCurvesTop, width, kCurvesBottom - kCurvesTop, "wash " + colour);
    svg.rect(left, kStripTop, width, kStripBottom - kStripTop, "region " + colour,
             action_fill(region.action));
    svg.line({left, kStripBottom}, {left + width, kStripBottom}, "edge " + colour);
    draw_name(svg, {left + width / 2, (kStripTop + kStripBottom) / 2}, name, width - 10);
    svg.close();
  }
}

void draw_axes(Svg& svg, const Structure& structure) {
  for (int tick = 0; tick <= 4; ++tick) {
    const double y = y_of(tick / 4.0);
    svg.line({kLeft, y}, {kRight, y}, tick == 0 ? "axis" : "grid");
    svg.text({kLeft - 8, y + 4}, Anchor::kEnd, "small", percent(tick / 4.0));
  }
  svg.upright_text({18, (kCurvesTop + kCurvesBottom) / 2}, "small", "how likely each action is");
  for (int tick = 0; tick <= 10; ++tick) {
    const double x = x_of(tick / 10.0);
    svg.line({x, kStripBottom + 2}, {x, kStripBottom + 8}, "axis");
    svg.text({x, kStripBottom + 22}, Anchor::kMiddle, "small", percent(tick / 10.0));
  }
  const double room = (kRight - kLeft) / 3 - 20;
  const double below = kStripBottom + 44;
  svg.text({(kLeft + kRight) / 2, below}, Anchor::kMiddle, "",
           shortened("belief in " + structure.states[1], room, 13));
  svg.text({kLeft - 12, below}, Anchor::kStart, "soft",
           shortened("← certain: " + structure.states[0], room, 13));
  svg.text({kRight + 12, below}, Anchor::kEnd, "soft",
           shortened("certain: " + structure.states[1] + " →", room, 13));
}

void draw_curves(Svg& svg, const Model& model) {
  const int actions = model.structure.action_count();
  std::vector<std::vector<Point>> curves(actions);
  for (int i = 0; i <= kSamples; ++i) {
    const double belief = static_cast<double>(i) / kSamples;
    const auto policy = policy_at(model, belief);
    for (int a = 0; a < actions; ++a) curves[a].push_back({x_of(belief), y_of(policy[a])});
  }
  for (int a = 0; a < actions; ++a) {
    svg.open_with_hint(model.structure.actions[a]);
    svg.polyline(curves[a], "curve " + action_colour(a), dashes(a));
    svg.close();
  }
}

// Values over the boundaries, in two rows where they are close; what fits in neither is in the sentences
// below.
void draw_boundaries(Svg& svg, const std::vector<BeliefInterval>& regions) {
  constexpr double kGap = 46;
  std::array<double, 2> taken = {-kGap, -kGap};
  for (std::size_t i = 1; i < regions.size(); ++i) {
    const double x = x_of(regions[i].low);
    svg.line({x, kCurvesTop - 4}, {x, kStripBottom}, "boundary");
    for (int row = 0; row < 2; ++row) {
      if (x - taken[row] < kGap) continue;
      taken[row] = x;
      svg.text({x, kCurvesTop - 10 - 16 * row}, Anchor::kMiddle, "strong halo", percent(regions[i].low));
      break;
    }
  }
}

void draw_counts(Svg& svg, const MapInput& input, const std::vector<std::int64_t>& counts) {
  const auto hidden = withheld(counts, input.min_cell);
  std::int64_t most = 1;
  bool any_hidden = false;
  for (int i = 0; i < kBins; ++i) {
    if (hidden[i]) any_hidden = true;
    if (!hidden[i]) most = std::max(most, counts[i]);
  }
  for (int i = 0; i < kBins; ++i) {
    if (counts[i] == 0) continue;
    const double share = hidden[i] ? 0.1 : static_cast<double>(counts[i]) / static_cast<double>(most);
    const double height = std::max(1.0, share * (kCountsBottom - kCountsTop));
    svg.rect(x_of(static_cast<double>(i) / kBins) + 1.5, kCountsBottom - height, (kRight - kLeft) / kBins - 3,
             height, hidden[i] ? "withheld" : "count");
  }
  svg.line({kLeft, kCountsBottom}, {kRight, kCountsBottom}, "axis");
  std::string words = fmt::format("beliefs at which the {} decisions in the data were made",
                                  safe_count(input.tree.decisions, input.min_cell));
  if (any_hidden) words += fmt::format(" (dashed: withheld, mostly fewer than {})", input.min_cell);
  svg.text({kLeft, kCountsTop - 12}, Anchor::kStart, "small", words);
}

HtmlTable region_table(const MapInput& input, const std::vector<BeliefInterval>& regions) {
  const Structure& structure = input.model.structure;
  HtmlTable table{
      {}, {"action", "likeliest where belief in " + structure.states[1] + " is", "times taken"}, {}};
  const auto taken = action_count_texts(input);
  for (int a = 0; a < structure.action_count(); ++a) {
    std::string where = "nowhere";
    for (const BeliefInterval& region : regions) {
      if (region.action == a) where = fine_percent(region.low) + " to " + fine_percent(region.high);
    }
    table.rows.push_back({escaped(structure.actions[a]), escaped(where), escaped(taken[a])});
  }
  return table;
}

HtmlTable curve_table(const MapInput& input, const std::vector<std::int64_t>& counts) {
  const Structure& structure = input.model.structure;
  HtmlTable table{{}, {"belief in " + structure.states[1]}, {}};
  for (const std::string& action : structure.actions) table.header.push_back(action);
  table.header.emplace_back("decisions made from here to the next row");
  const auto hidden = withheld(counts, input.min_cell);
  for (int i = 0; i <= kBins; ++i) {
    const double belief = static_cast<double>(i) / kBins;
    std::vector<Markup> row = {escaped(percent(belief))};
    for (const double p : policy_at(input.model, belief)) row.push_back(escaped(fine_percent(p)));
    row.push_back(escaped(i == kBins ? "" : hidden[i] ? "withheld" : grouped(counts[i])));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Markup decision_line(const MapInput& input) {
  const Structure& structure = input.model.structure;
  const auto regions = decision_intervals(input.model.agent.policy);
  const auto sentences = interval_sentences(structure, regions);
  const auto counts = decisions_by_cell(input, kBins, [](std::span<const double> belief) {
    return std::clamp(static_cast<int>(belief[1] * kBins), 0, kBins - 1);
  });
  Svg svg("map", kWidth, kHeight, "Decision map: how likely each action is at each belief",
          fmt::format("{}", fmt::join(sentences, " ")));
  draw_regions(svg, structure, regions);
  draw_axes(svg, structure);
  draw_curves(svg, input.model);
  draw_boundaries(svg, regions);
  draw_counts(svg, input, counts);
  Markup html = bullet_list("finding plain", sentences);
  html += literal("<figure>");
  html += region_legend(structure);
  html += scrollable(svg.finish());
  html += element(
      "figcaption", "",
      escaped("Figure 1. The fitted policy. Curves: how likely each action is, given the belief. Band: the "
              "likeliest action; dashed lines: the beliefs at which it changes. Inferred, not stated, "
              "beliefs. " +
              left_out_sentence(input)));
  html += folded_table("Regions as a table", region_table(input, regions));
  html += folded_table("Curves and counts as a table", curve_table(input, counts));
  return {html.html + "</figure>\n"};
}

}  // namespace interpole
