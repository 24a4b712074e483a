#include "interpole/report/parameter_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/report/html.hpp"
#include "interpole/report/numbers.hpp"
#include "interpole/report/sentences.hpp"
#include "interpole/report/svg.hpp"

namespace interpole {
namespace {

// "20%" over a bar; the world's value as a tick on the bar and in words.
Markup value_cell(double agent, const double* world) {
  constexpr double kLength = 110;
  Svg bar = Svg::swatch(kLength, 10);
  bar.rect(0, 2, kLength, 6, "track");
  bar.rect(0, 2, kLength * agent, 6, "agent");
  if (world != nullptr) {
    const double x = std::clamp(kLength * *world, 1.0, kLength - 1);
    bar.line({x, 0}, {x, 10}, "world");
  }
  Markup cell = escaped(fine_percent(agent));
  if (world != nullptr) cell += literal(" <small>world " + escaped(fine_percent(*world)).html + "</small>");
  cell += element("span", "bar", bar.finish());
  return cell;
}

const double* at_or_none(const std::vector<double>* values, std::size_t index) {
  return values == nullptr ? nullptr : &(*values)[index];
}

HtmlTable initial_table(const Structure& structure, const Dynamics& agent, const std::vector<double>* world) {
  HtmlTable table{escaped("Belief before the first decision"), structure.states, {{}}, 0};
  for (std::size_t s = 0; s < structure.states.size(); ++s) {
    table.rows[0].push_back(value_cell(agent.initial[s], at_or_none(world, s)));
  }
  return table;
}

HtmlTable observation_table(const Structure& structure, const Dynamics& agent,
                            const std::vector<double>* world) {
  HtmlTable table{escaped("How often each result follows"), {"action", "if the state is"}, {}, 2};
  for (const std::string& outcome : structure.observations) table.header.push_back(outcome);
  const std::size_t S = structure.states.size();
  const std::size_t Z = structure.observations.size();
  for (int a = 0; a < structure.action_count(); ++a) {
    if (structure.is_terminal(a)) continue;
    for (std::size_t s = 0; s < S; ++s) {
      std::vector<Markup> row = {escaped(s == 0 ? structure.actions[a] : ""), escaped(structure.states[s])};
      for (std::size_t z = 0; z < Z; ++z) {
        const std::size_t i = (a * S + s) * Z + z;
        row.push_back(structure.can_yield(a, static_cast<int>(z))
                          ? value_cell(agent.observation[i], at_or_none(world, i))
                          : escaped("cannot occur"));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

bool is_identity(const std::vector<double>& transition, int action, std::size_t states) {
  for (std::size_t from = 0; from < states; ++from) {
    for (std::size_t to = 0; to < states; ++to) {
      const double expected = from == to ? 1.0 : 0.0;
      if (std::abs(transition[(action * states + from) * states + to] - expected) > 1e-12) return false;
    }
  }
  return true;
}

// Only actions after which something can change, in the head or in the world.
HtmlTable transition_table(const Structure& structure, const Dynamics& agent,
                           const std::vector<double>* world) {
  HtmlTable table{escaped("How the state changes until the next decision"), {"after", "from"}, {}, 2};
  for (const std::string& state : structure.states) table.header.push_back("to " + state);
  const std::size_t S = structure.states.size();
  for (int a = 0; a < structure.action_count(); ++a) {
    const bool still = is_identity(agent.transition, a, S) && (world == nullptr || is_identity(*world, a, S));
    if (structure.is_terminal(a) || still) continue;
    for (std::size_t from = 0; from < S; ++from) {
      std::vector<Markup> row = {escaped(from == 0 ? structure.actions[a] : ""),
                                 escaped(structure.states[from])};
      for (std::size_t to = 0; to < S; ++to) {
        const std::size_t i = (a * S + from) * S + to;
        row.push_back(value_cell(agent.transition[i], at_or_none(world, i)));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

Markup parameter_tables(const Model& model) {
  const Structure& structure = model.structure;
  const Dynamics& agent = model.agent.dynamics;
  const Dynamics* world = model.world ? &*model.world : nullptr;
  Markup html = element("h2", "", escaped("What the decisions take for true"));
  html += paragraph(
      "",
      "The decision-maker acts as if these numbers were true. They are best estimates from the records, "
      "shown without their uncertainty.");
  if (const std::string gap = largest_gap_sentence(model); !gap.empty()) html += paragraph("finding", gap);
  if (world != nullptr) html += paragraph("", "Bar: as if true for the decision-maker. Tick: in the world.");
  const HtmlTable results = observation_table(structure, agent, world ? &world->observation : nullptr);
  if (!results.rows.empty()) html += render_table(results);
  html += render_table(initial_table(structure, agent, world ? &world->initial : nullptr));
  const HtmlTable changes = transition_table(structure, agent, world ? &world->transition : nullptr);
  html += changes.rows.empty() ? paragraph("", "States are taken not to change between decisions.")
                               : render_table(changes);
  return element("section", "", html);
}

}  // namespace interpole
