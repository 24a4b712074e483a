#include "interpole/learn/fit/world_alone.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/error.hpp"
#include "interpole/learn/posterior/coupling.hpp"
#include "interpole/model/parameter_space.hpp"

namespace interpole::learn {
namespace {

// Rows in full, so that each can be named.
std::vector<model::ParameterBlock> all_rows(const Structure& structure) {
  return model::DynamicsSpace(structure, Dynamics::filled(structure, NAN)).blocks();
}

}  // namespace

void require_known_of_both(const DecisionProblem& problem) {
  if (!problem.world) return;
  for (const model::ParameterBlock& row : all_rows(problem.structure)) {
    const auto& world = model::field_of(*problem.world, row.field);
    const auto& agent = model::field_of(problem.known.dynamics, row.field);
    for (const int i : row.entries) {
      if (std::isnan(world[i]) || world[i] == agent[i]) continue;
      throw input_error(fmt::format(
          "[world] states {}, which binds the world alone, and shared dynamics are one set for the "
          "decision-maker and the world; state it under [known], which holds for both, or choose option "
          "dynamics "
          "coupled",
          row.name));
    }
  }
}

}  // namespace interpole::learn
