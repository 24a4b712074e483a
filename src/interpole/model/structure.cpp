#include "interpole/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"

namespace interpole {
namespace {

constexpr int kMostStates = 1000;
constexpr int kMostActions = 4000;
constexpr int kMostObservations = 500'000;
constexpr int kMostFactors = 1000;

int find(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

void check_names(const std::string& where, const char* what, const std::vector<std::string>& names,
                 int most) {
  if (names.empty())
    throw input_error(fmt::format("{}: {}: the list is empty; name at least one", where, what));
  if (names.size() > static_cast<std::size_t>(most)) {
    throw input_error(
        fmt::format("{}: {}: {} names; at most {} are supported", where, what, names.size(), most));
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) throw input_error(fmt::format("{}: {}[{}]: the name is empty", where, what, i));
    if (!seen.insert(names[i]).second) {
      throw input_error(
          fmt::format("{}: {}[{}]: \"{}\" is listed twice; remove one", where, what, i, names[i]));
    }
  }
}

void check_factors(const Structure& structure, const std::string& where) {
  std::vector<std::string> names;
  for (const MeasuredFactor& factor : structure.factors) names.push_back(factor.name);
  check_names(where, "factors", names, kMostFactors);
  if (!structure.observations.empty())
    throw input_error(where + ": observations beside factors; outcomes are one or the other: remove one");
  for (std::size_t f = 0; f < structure.factors.size(); ++f) {
    const MeasuredFactor& factor = structure.factors[f];
    const std::string place = fmt::format("{}: factors[{}] (\"{}\")", where, f, factor.name);
    const std::string complaint = model::complaint_about(factor);
    if (!complaint.empty()) throw input_error(fmt::format("{}: {}", place, complaint));
    if (!factor.yielded_by.empty() && factor.yielded_by.size() != structure.actions.size())
      throw input_error(fmt::format("{}: its mask does not fit {} actions", place, structure.actions.size()));
    if (factor.has_levels()) check_names(place, "levels", factor.levels, kMostObservations);
  }
  if (structure.terminal.size() != structure.actions.size())
    throw input_error(fmt::format("{}: masks do not fit {} actions", where, structure.actions.size()));
}

void check_time(const Structure& structure, const std::string& where) {
  const VisitTime& time = *structure.time;
  if (time.unit.empty()) throw input_error(where + ": time: it has no unit; write one, such as \"days\"");
  if (time.typical && !(std::isfinite(*time.typical) && *time.typical > 0.0)) {
    throw input_error(
        fmt::format("{}: time: a gap of {} {} is not above 0", where, *time.typical, time.unit));
  }
  if (time.rule == TimeRule::kGenerators) return;
  if (!time.typical) throw input_error(where + ": time: how long a step is must be stated");
  if (time.wait < 0 || time.wait >= structure.action_count() || structure.is_terminal(time.wait)) {
    throw input_error(
        where + ": time: what is done in the further steps of a gap must be an action that is not terminal");
  }
}

}  // namespace

int Structure::find_state(const std::string& name) const {
  return find(states, name);
}
int Structure::find_action(const std::string& name) const {
  return find(actions, name);
}
int Structure::find_observation(const std::string& name) const {
  return find(observations, name);
}

int Structure::observation_columns() const {
  return measured() ? model::factor_offsets(factors).back() : observation_count();
}

std::string Structure::column_name(int column) const {
  if (!measured()) return observations[static_cast<std::size_t>(column)];
  const auto offsets = model::factor_offsets(factors);
  std::size_t f = 0;
  while (offsets[f + 1] <= column) ++f;
  return fmt::format("{} {}", factors[f].name,
                     model::forms_of(factors[f])[static_cast<std::size_t>(column - offsets[f])].name);
}

std::string Structure::outcome_name(int observation) const {
  if (observation == kMissing) return "nothing";
  if (!measured()) return observations[static_cast<std::size_t>(observation)];
  const auto values = outcomes.table->at(observation);
  std::string text;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (std::isnan(values[f])) continue;
    const MeasuredFactor& factor = factors[f];
    text += text.empty() ? factor.name : ", " + factor.name;
    if (factor.has_levels()) {
      text += " " + factor.levels[static_cast<std::size_t>(values[f])];
      continue;
    }
    const char* beyond = values[f] <= factor.lower ? "≤ " : values[f] >= factor.upper ? "≥ " : "";
    text += fmt::format(" {}{}{}{}", beyond, base::short_number(values[f]), factor.unit.empty() ? "" : " ",
                        factor.unit);
  }
  return text;
}

Structure Structure::of_factors(std::vector<std::string> states, std::vector<std::string> actions,
                                std::vector<MeasuredFactor> factors) {
  Structure structure = unrestricted(std::move(states), std::move(actions), {});
  structure.outcomes.table = std::make_shared<OutcomeTable>(factors.size());
  structure.factors = std::move(factors);
  return structure;
}

Structure Structure::unrestricted(std::vector<std::string> states, std::vector<std::string> actions,
                                  std::vector<std::string> observations) {
  Structure structure{std::move(states), std::move(actions), std::move(observations), {}, {}, {}, {}};
  structure.terminal.assign(structure.actions.size(), 0);
  structure.allowed.assign(structure.actions.size() * structure.observations.size(), 1);
  return structure;
}

void Structure::make_terminal(int action) {
  terminal[action] = 1;
  const auto row = allowed.begin() + static_cast<std::ptrdiff_t>(action) * observation_count();
  std::fill(row, row + observation_count(), 0);
}

void Structure::validate(const std::string& where) const {
  check_names(where, "states", states, kMostStates);
  check_names(where, "actions", actions, kMostActions);
  if (not_recorded < kMissing || not_recorded >= observation_count()) {
    throw input_error(fmt::format("{}: not_recorded: there is no observation {}", where, not_recorded));
  }
  if (measured()) {
    check_factors(*this, where);
    if (timed()) check_time(*this, where);
    return;
  }
  check_names(where, "observations", observations, kMostObservations);
  if (terminal.size() != actions.size() || allowed.size() != actions.size() * observations.size()) {
    throw input_error(fmt::format("{}: masks do not fit {} actions and {} observations", where,
                                  actions.size(), observations.size()));
  }
  for (int a = 0; a < action_count(); ++a) {
    int yields = 0;
    for (int z = 0; z < observation_count(); ++z) yields += can_yield(a, z);
    if (is_terminal(a) && yields > 0) {
      throw input_error(fmt::format("{}: action \"{}\" is terminal but lists outcomes; remove one of the two",
                                    where, actions[a]));
    }
    if (!is_terminal(a) && yields == 0) {
      throw input_error(
          fmt::format("{}: action \"{}\" can yield no outcome; list its outcomes or make it terminal", where,
                      actions[a]));
    }
  }
  if (timed()) check_time(*this, where);
}

}  // namespace interpole
