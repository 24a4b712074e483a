#include "interpole/planning/fixed_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpole/planning/backup.hpp"

namespace interpole {
namespace {

std::vector<double> expectations(std::span<const double> vector, const BeliefTable& points) {
  std::vector<double> result(points.count, 0.0);
  for (std::size_t s = 0; s < vector.size(); ++s) {
    for (std::size_t i = 0; i < points.count; ++i) {
      result[i] += vector[s] * points.by_state[s * points.count + i];
    }
  }
  return result;
}

// Adds to vectors[i·S + s], for every point i, that part which is highest there.
void add_best_parts(const AlphaVectors& parts, const BeliefTable& points, std::vector<double>& vectors) {
  std::vector<double> best = expectations(parts.row(0), points);
  std::vector<std::size_t> which(points.count, 0);
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::vector<double> here = expectations(parts.row(k), points);
    for (std::size_t i = 0; i < points.count; ++i) {
      if (here[i] <= best[i]) continue;
      best[i] = here[i];
      which[i] = k;
    }
  }
  const auto S = static_cast<std::size_t>(parts.states);
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t s = 0; s < S; ++s) vectors[i * S + s] += parts.values[which[i] * S + s];
  }
}

// For every point, the vector of taking this action there: [i·S + s].
std::vector<double> vectors_of(const Pomdp& pomdp, int action, const AlphaVectors& next,
                               const BeliefTable& points) {
  const std::size_t S = pomdp.states.size();
  std::vector<double> vectors(points.count * S);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] = pomdp.gain(action, static_cast<int>(i % S));
  }
  if (pomdp.is_terminal(action)) return vectors;
  for (int z = 0; z < pomdp.observation_count(); ++z) {
    add_best_parts(project(pomdp, action, z, next), points, vectors);
  }
  return vectors;
}

void add_unless_there(AlphaVectors& vectors, int action, std::span<const double> vector) {
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    if (vectors.actions[k] == action && std::equal(vector.begin(), vector.end(), vectors.row(k).begin()))
      return;
  }
  vectors.add(action, vector);
}

AlphaVectors back_up(const Pomdp& pomdp, const AlphaVectors& next, const BeliefTable& points) {
  const std::size_t S = pomdp.states.size();
  std::vector<double> best(points.count, -INFINITY);
  std::vector<double> best_vectors(points.count * S);
  std::vector<int> best_actions(points.count);
  for (int a = 0; a < pomdp.action_count(); ++a) {
    const std::vector<double> vectors = vectors_of(pomdp, a, next, points);
    for (std::size_t i = 0; i < points.count; ++i) {
      double value = 0.0;
      for (std::size_t s = 0; s < S; ++s) value += vectors[i * S + s] * points.by_state[s * points.count + i];
      if (value <= best[i]) continue;
      best[i] = value;
      best_actions[i] = a;
      std::copy_n(&vectors[i * S], S, &best_vectors[i * S]);
    }
  }
  AlphaVectors result{pomdp.state_count(), {}, {}};
  for (std::size_t i = 0; i < points.count; ++i) {
    add_unless_there(result, best_actions[i], {&best_vectors[i * S], S});
  }
  return result;
}

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

ValueFunction solve_at_points(std::shared_ptr<const Pomdp> pomdp, int horizon, const BeliefTable& points) {
  AlphaVectors now = AlphaVectors::zero(pomdp->state_count());
  AlphaVectors before = now;
  for (int stage = 0; stage < horizon; ++stage) {
    AlphaVectors after = back_up(*pomdp, now, points);
    before = std::exchange(now, std::move(after));
  }
  return {std::move(pomdp), std::move(now), std::move(before)};
}

BeliefTable spread_points(std::span<const double> candidates, int states, std::size_t count) {
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

}  // namespace interpole
