#include "interpole/explain/policy/side_boundaries.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/model/policy_terms.hpp"

namespace interpole::explain {
namespace {

// log π up to what is common to all actions, along a side: linear in the position, value at 0 and at 1.
struct Line {
  double at_from = 0.0;
  double at_to = 0.0;
  double at(double position) const { return at_from + position * (at_to - at_from); }
};

Line line_of(const Structure& structure, const Policy& policy, int action, int from, int to) {
  const int S = structure.state_count();
  double norm = 0.0;
  for (int s = 0; s < S; ++s) norm += policy.means[action * S + s] * policy.means[action * S + s];
  return {2.0 * policy.means[action * S + from] - norm, 2.0 * policy.means[action * S + to] - norm};
}

bool is_top(const Structure& structure, const Policy& policy, int before, int after, int from, int to,
            double position) {
  const double here = line_of(structure, policy, before, from, to).at(position);
  for (int a = 0; a < structure.action_count(); ++a) {
    if (a == before || a == after) continue;
    if (line_of(structure, policy, a, from, to).at(position) > here) return false;
  }
  return true;
}

}  // namespace

std::string shown_position(const Estimate& position) {
  const bool low_outside = position.low < 0.0;
  const bool high_outside = position.high > 1.0;
  if (!low_outside && !high_outside) return shown_percent(position);
  if (low_outside && high_outside) return "a belief that is not determined";
  const char* where = low_outside ? "at any belief" : "at no belief";
  if (position.middle < 0.0 || position.middle > 1.0) {
    const double end = low_outside ? position.high : position.low;
    return end < 0.0 || end > 1.0
               ? std::string("no belief there is: it lies beyond certainty")
               : shown_percent({std::clamp(position.middle, 0.0, 1.0), std::max(0.0, position.low),
                                std::min(1.0, position.high)}) +
                     " or more likely " + where;
  }
  return shown_percent({position.middle, std::max(0.0, position.low), std::min(1.0, position.high)}) +
         " or " + where;
}

std::optional<double> crossing(const Structure& structure, const Policy& policy, int before, int after,
                               int from, int to, double advantage) {
  const Line x = line_of(structure, policy, before, from, to);
  const Line y = line_of(structure, policy, after, from, to);
  const double slope = (y.at_to - y.at_from) - (x.at_to - x.at_from);
  if (std::abs(slope) < 1e-12) return {};
  return (x.at_from - y.at_from - advantage / policy.inverse_temperature) / slope;
}

std::vector<ShiftedBoundary> shifted_boundaries(const Structure& structure, const Policy& fitted,
                                                const std::vector<AgentWorld>& draws, double level) {
  std::vector<ShiftedBoundary> result;
  const auto A = structure.actions.size();
  for (const SideBoundary& boundary : side_boundaries(structure, fitted)) {
    for (std::size_t i = 0; i < fitted.terms.additive.size(); ++i) {
      const PolicyTerm& term = fitted.terms.additive[i];
      const bool a_number = term.covariate >= 0 && fitted.terms.covariates[term.covariate].categories.empty();
      if (a_number) continue;
      for (const int at : model::used_levels(structure, term)) {
        std::vector<double> positions;
        for (const AgentWorld& draw : draws) {
          const double* weights = &draw.agent.policy.terms.additive[i].weights[at * A];
          const auto position =
              crossing(structure, draw.agent.policy, boundary.before, boundary.after, boundary.from,
                       boundary.to, weights[boundary.after] - weights[boundary.before]);
          if (position) positions.push_back(*position);
        }
        if (positions.empty()) continue;
        result.push_back({boundary, model::level_name(structure, fitted.terms, term, at),
                          estimate_of(std::move(positions), level)});
      }
    }
  }
  return result;
}

std::vector<SideBoundary> side_boundaries(const Structure& structure, const Policy& policy) {
  std::vector<SideBoundary> result;
  for (int from = 0; from < structure.state_count(); ++from) {
    for (int to = from + 1; to < structure.state_count(); ++to) {
      const std::size_t first = result.size();
      for (int before = 0; before < structure.action_count(); ++before) {
        for (int after = 0; after < structure.action_count(); ++after) {
          // `before` leads towards `from`: its advantage falls along the side.
          const auto position =
              before == after ? std::nullopt : crossing(structure, policy, before, after, from, to);
          if (!position || *position < 0.0 || *position > 1.0) continue;
          const Line x = line_of(structure, policy, before, from, to);
          const Line y = line_of(structure, policy, after, from, to);
          if (x.at_to - x.at_from > y.at_to - y.at_from) continue;
          if (!is_top(structure, policy, before, after, from, to, *position)) continue;
          result.push_back({from, to, before, after, *position});
        }
      }
      std::sort(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(),
                [](const SideBoundary& x, const SideBoundary& y) { return x.position < y.position; });
    }
  }
  return result;
}

std::vector<SideBoundaryEstimate> estimate_side_boundaries(const Structure& structure, const Policy& fitted,
                                                           const std::vector<AgentWorld>& draws,
                                                           double level) {
  std::vector<SideBoundaryEstimate> result;
  for (const SideBoundary& boundary : side_boundaries(structure, fitted)) {
    std::vector<double> positions;
    int present = 0;
    for (const AgentWorld& draw : draws) {
      const Policy& policy = draw.agent.policy;
      const auto position =
          crossing(structure, policy, boundary.before, boundary.after, boundary.from, boundary.to);
      if (!position) continue;
      positions.push_back(*position);
      present +=
          *position >= 0.0 && *position <= 1.0 &&
          is_top(structure, policy, boundary.before, boundary.after, boundary.from, boundary.to, *position);
    }
    if (positions.empty()) continue;
    result.push_back(
        {boundary, estimate_of(std::move(positions), level), present / static_cast<double>(draws.size())});
  }
  return result;
}

}  // namespace interpole::explain
