#include "interpole/data/study/study_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpole/base/messages.hpp"
#include "interpole/belief.hpp"
#include "interpole/data/study/study_measured.hpp"
#include "interpole/data/study/study_row.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

constexpr double kMostRate = 1e9;
constexpr double kMostTemperature = 1e12;  // decisions then jump at their boundaries, as they do far below

// Reads one of the two tables. `fixed` is what its numbers may not contradict: masks for [known], all of
// [known] for [start].
class ValuesReader {
 public:
  ValuesReader(const Structure& structure, const Parameters& fixed, bool starting, Parameters& values)
      : structure_(structure), fixed_(fixed), starting_(starting), values_(values) {}

  void read(const TomlValue& table) {
    if (table.has("initial_belief")) {
      read_study_row(table.at("initial_belief"),
                     row(values_.dynamics.initial, fixed_.dynamics.initial, 0, structure_.states.size()));
    }
    if (table.has("inverse_temperature")) read_temperature(table.at("inverse_temperature"));
    if (table.has("transition")) {
      for_each_action(table.at("transition"), [&](auto& value, int a) { read_transition(value, a); });
    }
    if (table.has("rates")) {
      for_each_action(table.at("rates"), [&](auto& value, int a) { read_rates(value, a); });
    }
    if (table.has("observation")) {
      for_each_action(table.at("observation"), [&](auto& value, int a) { read_observation(value, a); });
    }
    if (table.has("means")) {
      for_each_action(table.at("means"), [&](auto& value, int a) { read_mean(value, a); });
    }
  }

 private:
  // "*" first, so that an action named on its own overrides it.
  template <class Read>
  void for_each_action(const TomlValue& table, const Read& read) {
    const auto members = table.members();
    for (const auto& [key, value] : members) {
      for_all_ = key == "*";
      for (int a = 0; for_all_ && a < structure_.action_count(); ++a) read(value, a);
    }
    for_all_ = false;
    for (const auto& [key, value] : members) {
      const int action = structure_.find_action(key);
      if (action >= 0) {
        read(value, action);
      } else if (key != "*") {
        value.refuse(fmt::format(
            "{} is not an action{}", base::shown(key),
            base::suggestion(key, structure_.actions, "the actions (and \"*\" for every one) are")));
      }
    }
  }

  // Row number `index` of a flat array whose rows have `size` numbers.
  StudyRow row(std::vector<double>& values, const std::vector<double>& fixed, std::size_t index,
               std::size_t size) {
    StudyRow result;
    result.values = {&values[index * size], size};
    result.fixed = {&fixed[index * size], size};
    result.why_fixed = "[known] says";
    result.per = "one for each state";
    result.starting = starting_;
    result.for_all = for_all_;
    return result;
  }

  std::vector<TomlValue> matrix_rows(const TomlValue& matrix) const {
    return matrix.elements(structure_.states.size(), "one row for each state");
  }

  void read_temperature(const TomlValue& value) {
    if (value.is_text("?")) return;
    const double temperature = value.positive_number(kMostTemperature);
    const double fixed = fixed_.policy.inverse_temperature;
    if (!std::isnan(fixed))
      value.refuse(fmt::format("[known] says {} already; remove one of the two", fixed));
    values_.policy.inverse_temperature = temperature;
  }

  void read_transition(const TomlValue& value, int action) {
    const std::size_t states = structure_.states.size();
    if (structure_.is_terminal(action) && starting_) {
      if (for_all_) return;
      value.refuse(
          "the action is terminal, so there is nothing to learn about its transition; remove the key");
    }
    double* const block = &values_.dynamics.transition[action * states * states];
    if (value.is_text("identity")) {
      if (starting_)
        value.refuse("probabilities that start at 0 and 1 cannot move; state \"identity\" under [known]");
      for (std::size_t i = 0; i < states * states; ++i) block[i] = i / states == i % states ? 1.0 : 0.0;
      return;
    }
    if (value.node().is_string()) {
      value.refuse(
          fmt::format("expected \"identity\" or a list of rows, found {}", base::shown(value.text())));
    }
    if (model::has_rates(structure_)) {
      value.refuse(fmt::format(
          "visits have times, so that how states change is stated by rates: write \"identity\", or rates.{}",
          structure_.actions[static_cast<std::size_t>(action)]));
    }
    const std::vector<double> before(block, block + states * states);
    const std::vector<TomlValue> rows = matrix_rows(value);
    for (std::size_t s = 0; s < states; ++s) {
      read_study_row(
          rows[s], row(values_.dynamics.transition, fixed_.dynamics.transition, action * states + s, states));
    }
    const bool open = std::any_of(block, block + states * states, [](double p) { return std::isnan(p); });
    if (structure_.is_terminal(action) && open) {
      if (!for_all_) {
        value.refuse(
            "the action is terminal, so its transition cannot be learned; give numbers or remove the key");
      }
      std::copy(before.begin(), before.end(), block);
    }
  }

  // Rates in 1/unit; the diagonal follows from the others.
  void read_rates(const TomlValue& value, int action) {
    const std::size_t S = structure_.states.size();
    if (structure_.is_terminal(action)) {
      if (for_all_) return;
      value.refuse("the action is terminal: nothing follows it; remove the key");
    }
    std::vector<double> rates(S * S);
    const std::vector<TomlValue> rows = matrix_rows(value);
    for (std::size_t s = 0; s < S; ++s) {
      const auto elements = rows[s].elements(S, "one for each state");
      bool open = false, stated = false;
      for (std::size_t to = 0; to < S; ++to) {
        if (to == s) continue;
        const double rate = read_rate(elements[to]);
        open |= std::isnan(rate);
        stated |= rate > 0.0;
        rates[s * S + to] = rate;
      }
      if (open && stated)
        rows[s].refuse("a row of rates is stated whole, or in zeros beside \"?\"; state the others too");
      check_own_rate(elements[s], {&rates[s * S], S}, s, open);
    }
    Dynamics stated = Dynamics::filled(structure_, kNotStated);
    set_rates(structure_, action, rates, stated);
    const std::size_t begin = static_cast<std::size_t>(action) * S * S;
    for (std::size_t i = begin; i < begin + S * S; ++i) {
      const double fixed = fixed_.dynamics.transition[i];
      if (starting_ && stated.transition[i] == 0.0 && fixed != 0.0)
        value.refuse(
            "a rate that starts at 0 cannot move away from it; start above it, or state it under [known]");
      if (starting_ && !std::isnan(fixed) && fixed > 0.0 && !for_all_)
        value.refuse("[known] says these rates already; remove one of the two");
      values_.dynamics.transition[i] = starting_ && !std::isnan(fixed) ? kNotStated : stated.transition[i];
    }
  }

  static double read_rate(const TomlValue& element) {
    if (element.is_text("?")) return kNotStated;
    const double rate = element.number();
    if (rate < 0.0)
      element.refuse(fmt::format("{} is negative; how often a state changes is 0 or more", rate));
    if (rate > kMostRate)
      element.refuse(fmt::format("{} is above {:g}; choose a shorter unit", rate, kMostRate));
    return rate;
  }

  // On the diagonal: "?", or minus the sum of the others.
  static void check_own_rate(const TomlValue& element, std::span<const double> row, std::size_t own,
                             bool open) {
    if (element.is_text("?")) return;
    double leaving = 0.0;
    for (std::size_t to = 0; to < row.size(); ++to) leaving += to == own ? 0.0 : row[to];
    const double stated = element.number();
    if (open || std::abs(stated + leaving) > 1e-8 * std::max(1.0, leaving)) {
      element.refuse(
          fmt::format("{} on the diagonal, which follows from the other rates; write \"?\"", stated));
    }
  }

  void read_observation(const TomlValue& value, int action) {
    if (structure_.is_terminal(action)) {
      if (for_all_) return;
      value.refuse("the action is terminal and yields no observation; remove the key");
    }
    const std::vector<TomlValue> rows = matrix_rows(value);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      StudyRow numbers = row(values_.dynamics.observation, fixed_.dynamics.observation,
                             action * rows.size() + s, structure_.observations.size());
      numbers.per = "one for each observation";
      if (!starting_) {
        numbers.why_fixed =
            fmt::format("the outcomes of action {} say", base::shown(structure_.actions[action]));
        numbers.for_all = false;
      }
      read_study_row(rows[s], numbers);
    }
  }

  void read_mean(const TomlValue& value, int action) {
    StudyRow numbers = row(values_.policy.means, fixed_.policy.means, action, structure_.states.size());
    numbers.probabilities = false;
    read_study_row(value, numbers);
  }

  const Structure& structure_;
  const Parameters& fixed_;
  bool starting_;
  Parameters& values_;
  bool for_all_ = false;
};

void fill_rows(std::vector<double>& values, std::size_t size) {
  for (std::size_t begin = 0; begin < values.size(); begin += size) fill_determined({&values[begin], size});
}

}  // namespace

Parameters known_from_structure(const Structure& structure) {
  Parameters known = Parameters::filled(structure, kNotStated);
  const std::size_t states = structure.states.size();
  const std::size_t observations = structure.observations.size();
  for (int a = 0; a < structure.action_count(); ++a) {
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t z = 0; z < observations; ++z) {
        if (!structure.can_yield(a, static_cast<int>(z)))
          known.dynamics.observation[(a * states + s) * observations + z] = 0.0;
      }
      for (std::size_t to = 0; structure.is_terminal(a) && to < states; ++to) {
        known.dynamics.transition[(a * states + s) * states + to] = s == to ? 1.0 : 0.0;
      }
    }
  }
  return known;
}

void read_known(const TomlValue& table, const Structure& structure, Parameters& known) {
  const char* outcomes = structure.measured() ? "factors" : "observation";
  const char* changes = model::has_rates(structure) ? "rates" : "transition";
  table.require_known_keys(
      {"initial_belief", "inverse_temperature", "transition", changes, outcomes, "means"});
  if (table.has("factors")) read_factor_values(table.at("factors"), structure, known.dynamics);
  Parameters masks = Parameters::filled(structure, kNotStated);
  masks.dynamics.observation = known.dynamics.observation;
  ValuesReader(structure, masks, false, known).read(table);
}

void complete_known(const Structure& structure, Parameters& known) {
  const std::size_t states = structure.states.size();
  fill_rows(known.dynamics.initial, states);
  fill_rows(known.dynamics.transition, states);
  if (!structure.measured()) fill_rows(known.dynamics.observation, structure.observations.size());
  fill_rows(known.policy.means, states);
}

Parameters read_start(const TomlValue& table, const Structure& structure, const Parameters& known) {
  const char* outcomes = structure.measured() ? "factors" : "observation";
  const char* changes = model::has_rates(structure) ? "rates" : "transition";
  table.require_known_keys(
      {"initial_belief", "inverse_temperature", "transition", changes, outcomes, "means", "noise"});
  Parameters start = Parameters::filled(structure, kNotStated);
  if (table.has("factors")) read_factor_values(table.at("factors"), structure, start.dynamics);
  ValuesReader(structure, known, true, start).read(table);
  return start;
}

}  // namespace interpole::data
