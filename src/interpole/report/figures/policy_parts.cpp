#include "interpole/report/figures/policy_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"
#include "interpole/report/geometry/geometry.hpp"
#include "interpole/report/geometry/sentences.hpp"

namespace interpole::report {

std::string draws_sentence(const FigureDraws& draws, const std::string& what) {
  if (draws.draws.empty()) return "The model does not say how sure it is: no uncertainty is shown.";
  return fmt::format("{} hold {} of the posterior ({} draws; {}).", what, base::percent(draws.level),
                     draws.draws.size(), draws.source);
}

std::string VisitCounts::words(int min_cell) const {
  std::string words =
      fmt::format("where the {} decisions in the data were made", explain::safe_count(total, min_cell));
  const bool any = std::find(hidden.begin(), hidden.end(), char{1}) != hidden.end();
  if (any) words += fmt::format(" (open: withheld, mostly fewer than {})", min_cell);
  return words;
}

VisitCounts count_visits(const PolicyFigureInput& input, int cells, const CellOf& cell_of) {
  VisitCounts visits;
  visits.counts.assign(cells, 0);
  const int known = input.beliefs.impossible.value_or(input.tree.node_count());
  for (int node = 0; node < known; ++node) {
    const std::int64_t decisions = input.tree.decisions_at(node);
    if (decisions == 0) continue;
    const auto cell = cell_of(input.beliefs.at(node));
    if (!cell) continue;
    visits.counts[*cell] += decisions;
    visits.total += decisions;
  }
  visits.hidden = explain::withheld(visits.counts, input.min_cell);
  for (int i = 0; i < cells; ++i) {
    if (!visits.hidden[i]) visits.most = std::max(visits.most, visits.counts[i]);
  }
  return visits;
}

Look visit_look(bool hidden) {
  if (hidden) return {{}, Pen{kSoft, 0.8, {}}, 1.0};
  return {kSoft, {}, 0.6};
}

std::string policy_words(const PolicyFigureInput& input) {
  const Structure& structure = input.model.structure;
  std::vector<std::string> sentences;
  if (structure.state_count() == 2) {
    sentences = interval_sentences(structure, decision_intervals(input.model.agent.policy));
  } else if (structure.state_count() == 3) {
    sentences = polygon_sentences(structure, decision_polygons(input.model.agent.policy));
  } else {
    sentences.push_back(fmt::format("The likeliest of {} actions at beliefs over {} states.",
                                    structure.action_count(), structure.state_count()));
  }
  return fmt::format("Inferred, not stated, beliefs. {}", fmt::join(sentences, " "));
}

Drawing policy_figure(const PolicyFigureInput& input) {
  switch (input.model.structure.state_count()) {
    case 1:
      throw input_error(
          "the model has one state, so there is no belief to draw; a policy needs at least two");
    case 2:
      return policy_line_figure(input);
    default:
      return policy_simplex_figure(input);
  }
}

}  // namespace interpole::report
