#include <algorithm>
#include <cmath>

#include "interpole/planning/fixed_points/fixed_points.hpp"

namespace interpole::planning {
namespace {

// All beliefs whose entries are multiples of 1/steps.
void add_grid(std::vector<double>& beliefs, std::vector<double>& head, int states, int left, int steps) {
  if (static_cast<int>(head.size()) + 1 == states) {
    beliefs.insert(beliefs.end(), head.begin(), head.end());
    beliefs.push_back(static_cast<double>(left) / steps);
    return;
  }
  for (int k = 0; k <= left; ++k) {
    head.push_back(static_cast<double>(k) / steps);
    add_grid(beliefs, head, states, left - k, steps);
    head.pop_back();
  }
}

double squared_distance(const double* x, const double* y, std::size_t size) {
  double sum = 0.0;
  for (std::size_t s = 0; s < size; ++s) sum += (x[s] - y[s]) * (x[s] - y[s]);
  return sum;
}

constexpr double kSamePoint = 1e-12;  // squared distance
constexpr std::size_t kMostGridPoints = 2'000;

// The finest grid of at most kMostGridPoints; at least the corners.
std::vector<double> grid(int states) {
  std::vector<double> result;
  for (int steps = 1;; ++steps) {
    double size = 1.0;  // binomial(steps + states − 1, states − 1)
    for (int k = 1; k < states; ++k) size *= static_cast<double>(steps + k) / k;
    if (steps > 1 && (size > static_cast<double>(kMostGridPoints) || states == 1)) return result;
    result.clear();
    std::vector<double> head;
    add_grid(result, head, states, steps, steps);
  }
}

}  // namespace

BeliefTable belief_grid(std::span<const double> candidates, int states, std::size_t count) {
  const auto S = static_cast<std::size_t>(states);
  std::vector<double> all(candidates.begin(), candidates.end());
  const std::vector<double> regular = grid(states);
  all.insert(all.end(), regular.begin(), regular.end());

  std::vector<double> chosen;
  std::vector<double> distance(all.size() / S, INFINITY);
  const auto choose = [&](std::vector<double> point) {
    chosen.insert(chosen.end(), point.begin(), point.end());
    for (std::size_t i = 0; i < distance.size(); ++i) {
      distance[i] = std::min(distance[i], squared_distance(&all[i * S], point.data(), S));
    }
  };
  choose(std::vector<double>(S, 1.0 / static_cast<double>(S)));
  for (std::size_t s = 0; s < S && S > 1; ++s) {
    std::vector<double> corner(S, 0.0);
    corner[s] = 1.0;
    choose(corner);
  }
  while (chosen.size() / S < count) {
    const auto farthest =
        static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) - distance.begin());
    if (distance[farthest] <= kSamePoint) break;
    choose({&all[farthest * S], &all[farthest * S] + S});
  }
  return BeliefTable::of(chosen, states);
}

}  // namespace interpole::planning
