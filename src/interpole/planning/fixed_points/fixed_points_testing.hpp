// Plans at fixed beliefs, word for word as they are defined: one vector, one outcome, one point at a time.
#pragma once

#include <algorithm>
#include <utility>

#include "interpole/planning/exact/backup.hpp"
#include "interpole/planning/fixed_points/fixed_points.hpp"

namespace interpole::testing {

inline std::vector<double> point_of(const planning::BeliefTable& points, std::size_t i) {
  std::vector<double> point;
  for (std::size_t at = i; at < points.by_state.size(); at += points.count) {
    point.push_back(points.by_state[at]);
  }
  return point;
}

inline void add_unless_there(planning::AlphaVectors& vectors, int action, std::span<const double> vector) {
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    if (vectors.actions[k] == action && std::ranges::equal(vector, vectors.row(k))) return;
  }
  vectors.add(action, vector);
}

inline planning::AlphaVectors plain_stage(const planning::Pomdp& pomdp, const planning::AlphaVectors& next,
                                          const planning::BeliefTable& points) {
  std::vector<std::vector<planning::AlphaVectors>> parts(pomdp.actions.size());  // [a][z]
  for (int a = 0; a < pomdp.action_count(); ++a) {
    for (int z = 0; z < pomdp.observation_count() && !pomdp.is_terminal(a); ++z) {
      parts[a].push_back(planning::project(pomdp, a, z, next));
    }
  }
  planning::AlphaVectors result{pomdp.state_count(), {}, {}};
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::vector<double> point = point_of(points, i);
    planning::AlphaVectors of_actions{pomdp.state_count(), {}, {}};
    for (int a = 0; a < pomdp.action_count(); ++a) {
      std::vector<double> vector(point.size());
      for (int s = 0; s < pomdp.state_count(); ++s) vector[s] = pomdp.gain(a, s);
      for (const planning::AlphaVectors& part : parts[a]) {
        const auto best = part.row(planning::best_at(part, point));
        for (std::size_t s = 0; s < vector.size(); ++s) vector[s] += best[s];
      }
      of_actions.add(a, vector);
    }
    const std::size_t best = planning::best_at(of_actions, point);
    add_unless_there(result, of_actions.actions[best], of_actions.row(best));
  }
  return result;
}

inline planning::ValueFunction plain_plan(std::shared_ptr<const planning::Pomdp> pomdp, int horizon,
                                          const planning::BeliefTable& points) {
  planning::AlphaVectors now = planning::AlphaVectors::zero(pomdp->state_count());
  planning::AlphaVectors before = now;
  for (int stage = 0; stage < horizon; ++stage) {
    before = std::exchange(now, plain_stage(*pomdp, now, points));
  }
  return {std::move(pomdp), std::move(now), std::move(before)};
}

}  // namespace interpole::testing
