#include "interpole/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpole/error.hpp"

namespace interpole {
namespace {

constexpr int kMostStates = 1000;
constexpr int kMostActions = 4000;
constexpr int kMostObservations = 500'000;

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

Structure Structure::unrestricted(std::vector<std::string> states, std::vector<std::string> actions,
                                  std::vector<std::string> observations) {
  Structure structure{std::move(states), std::move(actions), std::move(observations), {}, {}};
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
}

}  // namespace interpole
