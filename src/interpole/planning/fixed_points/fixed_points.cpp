#include "interpole/planning/fixed_points/fixed_points.hpp"

#include <utility>

#include "interpole/planning/fixed_points/point_stages.hpp"

namespace interpole::planning {

ValueFunction solve_at_points(std::shared_ptr<const Pomdp> pomdp, int horizon, const BeliefTable& points) {
  PointStages stages(*pomdp, points);
  AlphaVectors now = AlphaVectors::zero(pomdp->state_count());
  AlphaVectors before = now;
  for (int stage = 0; stage < horizon; ++stage) {
    std::swap(now, before);
    stages.back_up(before, now);
  }
  return {std::move(pomdp), std::move(now), std::move(before)};
}

}  // namespace interpole::planning
