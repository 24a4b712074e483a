#include "interpole/data/study/study_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "interpole/data/study/study_values.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

// Fills rows that nobody states from `known`. A row stated in part is refused: agent and world are compared
// row by row.
void complete_rows(const TomlValue& table, const char* key, const std::vector<double>& known,
                   std::size_t size, const std::vector<double>& unstated, std::vector<double>& world) {
  for (std::size_t begin = 0; begin < world.size(); begin += size) {
    const std::span<double> row(&world[begin], size);
    const auto open = std::count_if(row.begin(), row.end(), [](double p) { return std::isnan(p); });
    const bool stated = !std::equal(row.begin(), row.end(), &unstated[begin], [](double x, double y) {
      return x == y || (std::isnan(x) && std::isnan(y));
    });
    if (!stated) {
      std::copy_n(&known[begin], size, row.begin());
    } else if (open > 0) {
      table.at(key).refuse(
          fmt::format("a row has {} numbers that are not stated; state all of it, or none", open));
    }
  }
}

}  // namespace

Dynamics read_world(const TomlValue& table, const Structure& structure, const Dynamics& known) {
  if (structure.measured()) {
    table.refuse(
        "a world whose factors are known beforehand is not supported yet; remove the table, or state "
        "what is known of both under [known]");
  }
  const bool rates = model::has_rates(structure);
  table.require_known_keys({"initial_belief", "transition", rates ? "rates" : "transition", "observation"});
  const Parameters unstated = known_from_structure(structure);
  Parameters world = unstated;
  read_known(table, structure, world);
  const auto complete = [&](const char* key, auto field, std::size_t size) {
    complete_rows(table, key, known.*field, size, unstated.dynamics.*field, world.dynamics.*field);
  };
  complete("initial_belief", &Dynamics::initial, structure.states.size());
  complete(table.has("rates") ? "rates" : "transition", &Dynamics::transition, structure.states.size());
  complete("observation", &Dynamics::observation, structure.observations.size());
  return world.dynamics;
}

}  // namespace interpole::data
