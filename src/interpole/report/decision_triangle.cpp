// Three states: a belief is a point of a triangle, an action's region a polygon.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpole/report/decision_map.hpp"
#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/palette.hpp"
#include "interpole/report/sentences.hpp"
#include "interpole/report/triangle.hpp"
#include "interpole/report/visit_density.hpp"

namespace interpole {
namespace {

constexpr double kWidth = 640, kHeight = 560;
constexpr Triangle kTriangle{{70, 490}, 500};
constexpr int kLattice = 20;  // decisions are counted at beliefs rounded to 1/20

// Area in proportion to the number of decisions; a withheld count is a small ring of one size.
void draw_counts(Svg& svg, const std::vector<std::int64_t>& counts, const std::vector<char>& hidden) {
  std::int64_t most = 1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!hidden[i]) most = std::max(most, counts[i]);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double radius = std::sqrt(static_cast<double>(counts[i]) / static_cast<double>(most)) * 12;
    svg.circle(kTriangle.at(lattice_belief(static_cast<int>(i), kLattice)),
               hidden[i] ? 2.5 : std::max(1.5, radius), hidden[i] ? "withheld" : "count");
  }
}

std::string belief_text(const Belief3& belief) {
  return fmt::format("{} / {} / {}", fine_percent(belief[0]), fine_percent(belief[1]),
                     fine_percent(belief[2]));
}

HtmlTable region_table(const MapInput& input, const std::vector<BeliefPolygon>& regions) {
  const Structure& structure = input.model.structure;
  HtmlTable table{{}, {"action", "likeliest at this share of all beliefs", "times taken"}, {}};
  const auto taken = action_count_texts(input);
  for (int a = 0; a < structure.action_count(); ++a) {
    double share = 0.0;
    for (const BeliefPolygon& region : regions) {
      if (region.action == a) share = area_share(region);
    }
    table.rows.push_back({escaped(structure.actions[a]), escaped(fine_percent(share)), escaped(taken[a])});
  }
  return table;
}

HtmlTable boundary_table(const Structure& structure, const std::vector<BeliefSegment>& boundaries) {
  const std::string order = fmt::format("{}", fmt::join(structure.states, " / "));
  HtmlTable table{escaped("Each boundary is a straight line between two beliefs, written " + order + "."),
                  {"boundary between", "and", "runs from belief", "to belief"},
                  {},
                  2};
  for (const BeliefSegment& boundary : boundaries) {
    table.rows.push_back({escaped(structure.actions[boundary.first]),
                          escaped(structure.actions[boundary.second]), escaped(belief_text(boundary.from)),
                          escaped(belief_text(boundary.to))});
  }
  return table;
}

HtmlTable count_table(const Structure& structure, const std::vector<std::int64_t>& counts,
                      const std::vector<char>& hidden) {
  HtmlTable table{{}, structure.states, {}, 3};
  table.header.emplace_back("decisions near this belief");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    std::vector<Markup> row;
    for (const double p : lattice_belief(static_cast<int>(i), kLattice)) row.push_back(escaped(percent(p)));
    row.push_back(escaped(hidden[i] ? "withheld" : grouped(counts[i])));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Markup decision_triangle(const MapInput& input) {
  const Structure& structure = input.model.structure;
  const auto regions = decision_polygons(input.model.agent.policy);
  const auto boundaries = decision_boundaries(input.model.agent.policy);
  const auto sentences = polygon_sentences(structure, regions);
  const auto counts = decisions_by_cell(input, lattice_size(kLattice), [](std::span<const double> belief) {
    return lattice_cell(belief, kLattice);
  });
  const auto hidden = withheld(counts, input.min_cell);
  Svg svg("map", kWidth, kHeight, "Decision map: the likeliest action at each belief over three states",
          fmt::format("{}", fmt::join(sentences, " ")));
  draw_triangle_regions(svg, kTriangle, structure, regions, boundaries);
  draw_counts(svg, counts, hidden);
  draw_triangle_names(svg, kTriangle, structure, regions);
  draw_triangle_frame(svg, kTriangle, structure);
  Markup html = bullet_list("finding plain", sentences);
  html += literal("<figure>");
  html += region_legend(structure);
  html += scrollable(svg.finish());
  html += element(
      "figcaption", "",
      escaped(fmt::format("Figure 1. A corner is certainty of one state, the middle knows nothing. Patterns: "
                          "the likeliest action; dashed lines: where it changes. Ticks: belief in the "
                          "state at the end of the side, counter-clockwise. Grey discs: how many of the "
                          "{} decisions in the data were made near that belief; dashed rings: withheld, "
                          "mostly fewer than {}. Inferred, not stated, beliefs. {}",
                          safe_count(input.tree.decisions, input.min_cell), input.min_cell,
                          left_out_sentence(input))));
  html += folded_table("Regions as a table", region_table(input, regions));
  html += folded_table("Boundaries as a table", boundary_table(structure, boundaries));
  html += folded_table("Decisions as a table", count_table(structure, counts, hidden));
  return {html.html + "</figure>\n"};
}

}  // namespace interpole
