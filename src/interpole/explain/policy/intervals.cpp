#include "interpole/explain/policy/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/draws/draws_file.hpp"

namespace interpole::explain {

FitIntervals fit_intervals(const Structure& structure, const AgentWorld& best,
                           const std::vector<AgentWorld>& draws, double level) {
  FitIntervals result;
  result.level = level;
  const PolicyTerms& terms = best.agent.policy.terms;
  const auto names = learn::agent_world_columns(structure, best.agent.policy, best.world.has_value(),
                                                best.agent.dynamics.start);
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
  result.shifted = shifted_boundaries(structure, best.agent.policy, draws, level);
  return result;
}

std::string sentence_of(const Structure& structure, const SideBoundaryEstimate& boundary) {
  const SideBoundary& b = boundary.boundary;
  return fmt::format("{} gives way to {} at {} {} (the rest {})", structure.actions[b.before],
                     structure.actions[b.after], shown_position(boundary.position), structure.states[b.to],
                     structure.states[b.from]);
}

std::string sentence_of(const Structure& structure, const SideBoundaryEstimate& boundary,
                        const std::vector<ShiftedBoundary>& shifted) {
  constexpr std::size_t kMost = 2;
  std::vector<const ShiftedBoundary*> apart;  // whose interval leaves the boundary's own out
  const SideBoundary& b = boundary.boundary;
  for (const ShiftedBoundary& other : shifted) {
    const SideBoundary& o = other.boundary;
    const bool same = o.from == b.from && o.to == b.to && o.before == b.before && o.after == b.after;
    const Estimate& p = boundary.position;
    if (same && (other.position.low > p.high || other.position.high < p.low)) apart.push_back(&other);
  }
  std::stable_sort(apart.begin(), apart.end(), [&](const ShiftedBoundary* x, const ShiftedBoundary* y) {
    return std::abs(x->position.middle - boundary.position.middle) >
           std::abs(y->position.middle - boundary.position.middle);
  });
  std::string sentence = sentence_of(structure, boundary);
  for (std::size_t i = 0; i < apart.size() && i < kMost; ++i) {
    const Estimate& at = apart[i]->position;
    const std::string where = at.middle <= 0.0   ? "at any belief"
                              : at.middle >= 1.0 ? "at no belief"
                                                 : "at " + shown_position(at);
    sentence += fmt::format("; {}: {}", apart[i]->level, where);
  }
  return sentence;
}

}  // namespace interpole::explain
