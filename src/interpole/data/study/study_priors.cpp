#include "interpole/data/study/study_priors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"
#include "interpole/data/study/study_measured.hpp"

namespace interpole::data {
namespace {

// Where more certainty changes nothing that a search could still see.
constexpr double kMostPrior = 1e12;

// A number for all elements, or a list of `columns` numbers (`rows` lists of them), into values[0 …
// rows·columns).
void read_concentration(const TomlValue& value, std::size_t rows, std::size_t columns, double* values) {
  if (!value.is_array()) {
    std::fill_n(values, rows * columns, value.positive_number(kMostPrior));
    return;
  }
  for (const TomlValue& row : value.elements(rows, "one row for each state")) {
    for (const TomlValue& element : row.elements(columns, "one for each column of the table")) {
      *values++ = element.positive_number(kMostPrior);
    }
  }
}

// A number for everything, or a table of actions, each with a number or a table of numbers.
void read_concentrations(const TomlValue& value, const Structure& structure, bool terminal_too,
                         std::size_t columns, std::vector<double>& values) {
  const std::size_t states = structure.states.size();
  if (!value.is_table()) {
    if (value.is_array())
      value.refuse("expected one number, or a table with a number or rows for each action");
    std::fill(values.begin(), values.end(), value.positive_number(kMostPrior));
    return;
  }
  if (value.has("*")) {
    for (int a = 0; a < structure.action_count(); ++a) {
      read_concentration(value.at("*"), states, columns, &values[a * states * columns]);
    }
  }
  for (const auto& [key, member] : value.members()) {
    if (key == "*") continue;
    const int action = structure.find_action(key);
    if (action < 0) {
      member.refuse(
          fmt::format("{} is not an action{}", base::shown(key),
                      base::suggestion(key, structure.actions, "the actions (and \"*\" for every one) are")));
    }
    if (structure.is_terminal(action) && !terminal_too) {
      member.refuse("the action is terminal and yields no observation; remove the key");
    }
    read_concentration(member, states, columns, &values[action * states * columns]);
  }
}

}  // namespace

Priors read_priors(const TomlValue& table, const Structure& structure) {
  const char* outcomes = structure.measured() ? "factors" : "observation";
  table.require_known_keys({"initial_belief", "transition", outcomes, "means", "inverse_temperature"});
  Priors priors = Priors::defaults(structure);
  const std::size_t states = structure.states.size();
  if (table.has("initial_belief")) {
    const TomlValue value = table.at("initial_belief");
    std::vector<double>& initial = priors.concentration.initial;
    if (value.is_array()) {
      const std::vector<TomlValue> elements = value.elements(states, "one for each state");
      for (std::size_t s = 0; s < states; ++s) initial[s] = elements[s].positive_number(kMostPrior);
    } else {
      std::fill(initial.begin(), initial.end(), value.positive_number(kMostPrior));
    }
  }
  if (table.has("transition")) {
    read_concentrations(table.at("transition"), structure, true, states, priors.concentration.transition);
  }
  if (table.has("observation")) {
    read_concentrations(table.at("observation"), structure, false, structure.observations.size(),
                        priors.concentration.observation);
  }
  if (table.has("factors")) read_factor_priors(table.at("factors"), structure, priors);
  if (table.has("means")) {
    const TomlValue normal = table.at("means");
    normal.require_known_keys({"sd"});
    if (normal.has("sd")) priors.means_sd = normal.at("sd").positive_number(kMostPrior);
  }
  if (table.has("inverse_temperature")) {
    const TomlValue gamma = table.at("inverse_temperature");
    gamma.require_known_keys({"shape", "rate"});
    if (gamma.has("shape")) priors.temperature_shape = gamma.at("shape").positive_number(kMostPrior);
    if (gamma.has("rate")) priors.temperature_rate = gamma.at("rate").positive_number(kMostPrior);
  }
  return priors;
}

LabelHint read_labels(const TomlValue& table, const Structure& structure) {
  table.require_known_keys({"action", "observation", "order"});
  const TomlValue action = table.required("action", "name the action after which the outcome is seen");
  const TomlValue observation =
      table.required("observation", "name the outcome that becomes likelier along the order");
  const TomlValue order =
      table.required("order", "list the states, from least to most likely to give the outcome");
  const Outcome outcome{structure.find_action(action.text()), structure.find_observation(observation.text())};
  if (outcome.action < 0) {
    action.refuse(fmt::format("{} is not an action{}", base::shown(action.text()),
                              base::suggestion(action.text(), structure.actions, "the actions are")));
  }
  if (outcome.observation < 0) {
    observation.refuse(
        fmt::format("{} is not an observation{}", base::shown(observation.text()),
                    base::suggestion(observation.text(), structure.observations, "the observations are")));
  }
  if (!structure.can_yield(outcome.action, outcome.observation)) {
    observation.refuse(fmt::format("action {} cannot yield {}; name an outcome it can yield",
                                   base::shown(action.text()), base::shown(observation.text())));
  }
  LabelHint hint{
      {outcome}, fmt::format("{} after {}", base::shown(observation.text()), base::shown(action.text())), {}};
  for (const TomlValue& name : order.elements(structure.states.size(), "each state once")) {
    const int state = structure.find_state(name.text());
    if (state < 0) {
      name.refuse(fmt::format("{} is not a state{}", base::shown(name.text()),
                              base::suggestion(name.text(), structure.states, "the states are")));
    }
    if (std::find(hint.order.begin(), hint.order.end(), state) != hint.order.end()) {
      name.refuse(fmt::format("{} is listed twice; list each state once", base::shown(name.text())));
    }
    hint.order.push_back(state);
  }
  return hint;
}

}  // namespace interpole::data
