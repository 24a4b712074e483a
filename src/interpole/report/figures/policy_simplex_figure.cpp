// Three states: one triangle. Four: the faces of the tetrahedron. More: for pairs of states, triangles of the
// two and all others together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/report/figures/figure_style.hpp"
#include "interpole/report/figures/policy_parts.hpp"
#include "interpole/report/figures/simplex_panel.hpp"
#include "interpole/report/figures/typical_belief.hpp"
#include "interpole/report/geometry/boundary_band.hpp"
#include "interpole/report/geometry/visit_density.hpp"

namespace interpole::report {
namespace {

constexpr double kSimplexWidth = 760;
constexpr std::size_t kSimplexMostPanels = 12;

// One triangle to be drawn, and which beliefs are counted on it.
struct Panel {
  Slice slice;
  std::string note;
  int left_out = -1;  // four states: only beliefs that hold this state for the least likely
};

std::vector<Panel> panels_of(const PolicyFigureInput& input) {
  const Structure& structure = input.model.structure;
  const int states = structure.state_count();
  std::vector<Panel> panels;
  if (states == 3) return {{whole_triangle(structure), "", -1}};
  if (states == 4) {
    for (int s = 3; s >= 0; --s) {
      panels.push_back({face_without(structure, s), "without " + structure.states[s], s});
    }
    return panels;
  }
  const auto typical = typical_belief(input.tree, input.beliefs);
  for (const auto& [first, second] : telling_pairs(input.tree, input.beliefs, kSimplexMostPanels)) {
    panels.push_back({two_and_rest(structure, first, second, typical), "", -1});
  }
  return panels;
}

class PanelPainter {
 public:
  PanelPainter(const PolicyFigureInput& input, Drawing& drawing, double side, double font)
      : input_(input), drawing_(drawing), side_(side), font_(font) {}

  VisitCounts draw(const Panel& panel, Point top_left) {
    drawing_.text({{top_left.x, top_left.y + font_},
                   on_one_line(panel.note, SimplexPanel::width_for(side_, font_), font_),
                   font_},
                  kSoft);
    if (!panel.note.empty()) top_left.y += 1.2 * font_;
    const SimplexPanel simplex(panel.slice, top_left, side_, font_);
    bottom_ = std::max(bottom_, top_left.y + simplex.height());
    const CornerScores fitted = corner_scores(input_.model.agent.policy, panel.slice);
    std::vector<CornerScores> draws;
    for (const AgentWorld& draw : input_.draws.draws) {
      draws.push_back(corner_scores(draw.agent.policy, panel.slice));
    }
    const auto regions = decision_polygons(fitted);
    const int parts = lattice_for(panel);
    VisitCounts visits = counts_on(panel, parts);
    const auto discs = discs_of(simplex, visits, parts);
    simplex.draw_regions(drawing_, regions);
    simplex.draw_gridlines(drawing_);
    simplex.draw_boundaries(drawing_, decision_boundaries(fitted),
                            boundary_band(fitted, draws, input_.draws.level));
    for (const Disc& disc : discs) drawing_.disc(disc.centre, disc.radius, disc.look);
    simplex.draw_frame(drawing_);
    simplex.draw_names(drawing_, input_.model.structure, regions, discs, Hiding::kAsLittleAsPossible);
    return visits;
  }

  // Of all that was drawn.
  double bottom() const { return bottom_; }
  double largest_disc() const { return 0.026 * side_; }

 private:
  // The finest lattice on which not more than a fifth of the decisions has to be withheld.
  int lattice_for(const Panel& panel) const {
    for (const int parts : {25, 16}) {
      const VisitCounts visits = counts_on(panel, parts);
      std::int64_t hidden = 0;
      for (std::size_t i = 0; i < visits.counts.size(); ++i)
        hidden += visits.hidden[i] ? visits.counts[i] : 0;
      if (5 * hidden <= visits.total) return parts;
    }
    return 10;
  }

  VisitCounts counts_on(const Panel& panel, int parts) const {
    return count_visits(input_, lattice_size(parts),
                        [&](std::span<const double> belief) -> std::optional<int> {
                          const auto least = std::min_element(belief.begin(), belief.end()) - belief.begin();
                          if (panel.left_out >= 0 && least != panel.left_out) return std::nullopt;
                          return lattice_cell(panel.slice.shown(belief), parts);
                        });
  }

  std::vector<Disc> discs_of(const SimplexPanel& simplex, const VisitCounts& visits, int parts) const {
    std::vector<Disc> discs;
    for (std::size_t i = 0; i < visits.counts.size(); ++i) {
      if (visits.counts[i] == 0) continue;
      const bool hidden = visits.hidden[i] != 0;
      const double share = static_cast<double>(visits.counts[i]) / static_cast<double>(visits.most);
      const double radius = hidden ? 2.5 : std::max(1.4, largest_disc() * std::sqrt(share));
      discs.push_back({simplex.at(lattice_belief(static_cast<int>(i), parts)), radius, visit_look(hidden)});
    }
    return discs;
  }

  const PolicyFigureInput& input_;
  Drawing& drawing_;
  double side_, font_;
  double bottom_ = 0.0;
};

std::vector<LegendEntry> legend_of(const PolicyFigureInput& input, const VisitCounts* visits,
                                   double largest) {
  const Structure& structure = input.model.structure;
  std::vector<LegendEntry> entries;
  entries.reserve(structure.actions.size() + 4);
  for (int a = 0; a < structure.action_count(); ++a) {
    entries.push_back(region_entry(a, structure.actions[a]));
  }
  entries.push_back({[](Drawing& drawing, Point at) {
                       drawing.line({at.x - 13, at.y}, {at.x + 13, at.y}, boundary_pen());
                     },
                     "where the likeliest action changes"});
  if (!input.draws.draws.empty()) {
    entries.push_back({[](Drawing& drawing, Point at) {
                         drawing.rect(at.x - 13, at.y - 6, 26, 12, {kInk, {}, kBandOpacity});
                       },
                       fmt::format("where it may change ({})", base::percent(input.draws.level))});
  }
  entries.push_back(
      {[largest](Drawing& drawing, Point at) { drawing.disc(at, std::min(largest, 8.0), visit_look(false)); },
       visits ? fmt::format("{} decisions near a belief", explain::safe_count(visits->most, input.min_cell))
              : "decisions near a belief (area: how many)"});
  entries.push_back({[](Drawing& drawing, Point at) { drawing.disc(at, 2.5, visit_look(true)); },
                     fmt::format("withheld: mostly fewer than {}", input.min_cell)});
  return entries;
}

std::string caption_of(const PolicyFigureInput& input, const std::string& how, std::int64_t decisions) {
  return fmt::format(
      "{} Ticks lead along their gridlines. Discs: where the {} decisions in the data were made. {}", how,
      explain::safe_count(decisions, input.min_cell), draws_sentence(input.draws, "Grey bands"));
}

Drawing one_triangle(const PolicyFigureInput& input, const Panel& panel) {
  constexpr double kSide = 440, kFont = 11.5, kLegend = 170;
  Drawing drawing(kSimplexWidth, "Decision map: the likeliest action at each belief over three states",
                  policy_words(input));
  const double top = draw_title(drawing, "Which action is the likeliest, given the belief?");
  PanelPainter painter(input, drawing, kSide, kFont);
  const VisitCounts visits = painter.draw(panel, {kMargin, top});
  draw_legend(drawing, {kSimplexWidth - kMargin - kLegend, top + 24}, kLegend,
              legend_of(input, &visits, painter.largest_disc()));
  finish_with_caption(
      drawing, painter.bottom() + 12,
      caption_of(input, "A corner is certainty of one state, the middle knows nothing.", visits.total));
  return drawing;
}

std::string how_drawn(int states, std::size_t panels) {
  if (states == 4) {
    return "Each triangle is a face of the tetrahedron of beliefs, where one state is ruled out; a decision "
           "is counted on the face of the state believed least.";
  }
  const int pairs = states * (states - 1) / 2;
  return fmt::format(
      "Each triangle shows two states, and all others together in the proportions that are typical of the "
      "data; {} of {} pairs, those believed in most.",
      panels, pairs);
}

Drawing many_triangles(const PolicyFigureInput& input, const std::vector<Panel>& panels) {
  const int states = input.model.structure.state_count();
  const int columns = states == 4 ? 2 : 3;
  const double font = states == 4 ? 10 : 9;
  const double gap = 14;
  const double cell = (kSimplexWidth - 2 * kMargin - gap * (columns - 1)) / columns;
  const double side = cell - (SimplexPanel::width_for(0, font));
  Drawing drawing(kSimplexWidth,
                  fmt::format("Decision map: the likeliest action at beliefs over {} states", states),
                  policy_words(input));
  double y = draw_title(drawing, "Which action is the likeliest, given the belief?");
  PanelPainter painter(input, drawing, side, font);
  y = draw_legend_rows(drawing, {kMargin, y}, kSimplexWidth - 2 * kMargin,
                       legend_of(input, nullptr, painter.largest_disc())) +
      10;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % columns);
    if (column == 0 && i > 0) y = painter.bottom() + 16;
    painter.draw(panels[i], {kMargin + column * (cell + gap), y});
  }
  finish_with_caption(drawing, painter.bottom() + 14,
                      caption_of(input, how_drawn(states, panels.size()), input.tree.decisions));
  return drawing;
}

}  // namespace

Drawing policy_simplex_figure(const PolicyFigureInput& input) {
  const auto panels = panels_of(input);
  return panels.size() == 1 && input.model.structure.state_count() == 3 ? one_triangle(input, panels[0])
                                                                        : many_triangles(input, panels);
}

}  // namespace interpole::report
