#include "interpole/explain/policy/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/learn/draws/draws_file.hpp"

namespace interpole::explain {

FitIntervals fit_intervals(const Structure& structure, const AgentWorld& best,
                           const std::vector<AgentWorld>& draws, double level) {
  FitIntervals result;
  result.level = level;
  const PolicyTerms& terms = best.agent.policy.terms;
  const auto names = learn::agent_world_columns(structure, terms, best.world.has_value());
  const auto values = learn::agent_world_values(best, !terms.none());
  std::vector<std::vector<double>> columns(names.size());
  for (const AgentWorld& draw : draws) {
    const auto row = learn::agent_world_values(draw, !terms.none());
    for (std::size_t i = 0; i < names.size(); ++i) columns[i].push_back(row[i]);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [low, high] = std::minmax_element(columns[i].begin(), columns[i].end());
    if (columns[i].empty() || *low == *high) continue;
    result.parameters.push_back({names[i], values[i], estimate_of(std::move(columns[i]), level)});
  }
  result.boundaries = estimate_side_boundaries(structure, best.agent.policy, draws, level);
  return result;
}

std::string sentence_of(const Structure& structure, const SideBoundaryEstimate& boundary) {
  const SideBoundary& b = boundary.boundary;
  return fmt::format("{} gives way to {} at {} {} (the rest {})", structure.actions[b.before],
                     structure.actions[b.after], shown_percent(boundary.position), structure.states[b.to],
                     structure.states[b.from]);
}

}  // namespace interpole::explain
