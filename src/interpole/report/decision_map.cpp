#include "interpole/report/decision_map.hpp"

#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"

namespace interpole {

std::vector<std::string> action_count_texts(const MapInput& input) {
  std::vector<std::int64_t> counts(input.model.structure.actions.size(), 0);
  for (int node = 0; node < input.tree.node_count(); ++node) {
    const auto here = input.tree.counts_at(node);
    for (std::size_t a = 0; a < counts.size(); ++a) counts[a] += here[a];
  }
  const auto hidden = withheld(counts, input.min_cell);
  std::vector<std::string> texts;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    const bool small = counts[a] > 0 && counts[a] < input.min_cell;
    texts.push_back(hidden[a] && !small ? "withheld" : safe_count(counts[a], input.min_cell));
  }
  return texts;
}

std::string left_out_sentence(const MapInput& input) {
  if (!input.beliefs.impossible) return "";
  return "Some records hold outcomes that the fitted model calls impossible; decisions after such an outcome "
         "have no "
         "belief, and the counts leave out all histories at least as long.";
}

Markup decision_map(const MapInput& input) {
  Markup html = element("h2", "", escaped("When is each action taken?"));
  switch (input.model.structure.state_count()) {
    case 2:
      html += decision_line(input);
      break;
    case 3:
      html += decision_triangle(input);
      break;
    default:
      html += decision_table(input);
  }
  return element("section", "", html);
}

}  // namespace interpole
