// One state, or more than three: no flat drawing is honest, so the likeliest action at chosen beliefs.
#include <fmt/format.h>

#include <algorithm>

#include "interpole/model/belief.hpp"
#include "interpole/report/decision_map.hpp"
#include "interpole/report/geometry.hpp"
#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"

namespace interpole {
namespace {

// Weighted by decisions; empty if there are too few of them to be shown.
std::vector<double> average_belief(const MapInput& input) {
  const std::size_t S = input.model.structure.states.size();
  std::vector<double> sum(S, 0.0);
  double total = 0.0;
  const int known = input.beliefs.impossible.value_or(input.tree.node_count());
  for (int node = 0; node < known; ++node) {
    const auto weight = static_cast<double>(input.tree.decisions_at(node));
    for (std::size_t s = 0; s < S; ++s) sum[s] += weight * input.beliefs.at(node)[s];
    total += weight;
  }
  if (total < std::max(1, input.min_cell)) return {};
  for (double& x : sum) x /= total;
  return sum;
}

void add_row(HtmlTable& table, const MapInput& input, const std::string& where,
             const std::vector<double>& belief) {
  const Policy& policy = input.model.agent.policy;
  const int action = likeliest_action(policy, belief);
  const auto probabilities = action_probabilities(input.model.structure, policy, belief);
  table.rows.push_back({escaped(where), escaped(input.model.structure.actions[action]),
                        escaped(fine_percent(probabilities[action]))});
}

HtmlTable likeliest_actions(const MapInput& input) {
  const Structure& structure = input.model.structure;
  HtmlTable table{escaped("Table 1. The likeliest action at chosen beliefs. Inferred, not stated, beliefs."),
                  {"belief", "likeliest action", "how likely"},
                  {}};
  for (int s = 0; s < structure.state_count(); ++s) {
    std::vector<double> corner(structure.states.size(), 0.0);
    corner[s] = 1.0;
    add_row(table, input, "certain: " + structure.states[s], corner);
  }
  add_row(table, input, "before the first decision", input.model.agent.dynamics.initial);
  const auto average = average_belief(input);
  if (!average.empty()) add_row(table, input, "average over the decisions in the data", average);
  return table;
}

HtmlTable times_taken(const MapInput& input) {
  const Structure& structure = input.model.structure;
  HtmlTable table{{}, {"action", "times taken"}, {}};
  const auto counts = action_count_texts(input);
  for (int a = 0; a < structure.action_count(); ++a) {
    table.rows.push_back({escaped(structure.actions[a]), escaped(counts[a])});
  }
  return table;
}

}  // namespace

Markup decision_table(const MapInput& input) {
  const int S = input.model.structure.state_count();
  Markup html;
  if (S == 1) {
    html += paragraph("finding",
                      fmt::format("There is only one state, so the belief in it is always 100% and there is "
                                  "nothing to map: every action has the same chance, {}.",
                                  percent(1.0 / input.model.structure.action_count())));
  } else {
    html += paragraph("finding",
                      fmt::format("There is no map: a belief over {} states is {} independent numbers, more "
                                  "than a flat drawing can show without hiding some.",
                                  S, S - 1));
    html += render_table(likeliest_actions(input));
  }
  html += folded_table("How often each action was taken", times_taken(input));
  if (const std::string left_out = left_out_sentence(input); !left_out.empty())
    html += paragraph("", left_out);
  return html;
}

}  // namespace interpole
