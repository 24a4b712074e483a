// Bounds that need no search: told the state one step later (above), never looking (below).
#include <algorithm>
#include <cmath>

#include "interpole/planning/bounds/upper_bound.hpp"
#include "interpole/planning/exact/backup.hpp"

namespace interpole::planning {
namespace {

constexpr int kMostSteps = 20'000;

AlphaVectors gains(const Pomdp& pomdp) {
  AlphaVectors result{pomdp.state_count(), {}, {}};
  for (int a = 0; a < pomdp.action_count(); ++a) {
    result.actions.push_back(a);
    for (int s = 0; s < pomdp.state_count(); ++s) result.values.push_back(pomdp.gain(a, s));
  }
  return result;
}

// The same number in every state and for every action: the extreme gain, for ever. A process that may end can
// also stop gaining or losing, which is worth 0.
AlphaVectors extreme(const Pomdp& pomdp, double gain) {
  AlphaVectors result = gains(pomdp);
  std::fill(result.values.begin(), result.values.end(), gain / (1.0 - pomdp.discount));
  return result;
}

template <class Step>
AlphaVectors limit(AlphaVectors at, double accuracy, const Step& step) {
  for (int i = 0; i < kMostSteps; ++i) {
    AlphaVectors after = step(at);
    double moved = 0.0;
    for (std::size_t k = 0; k < at.values.size(); ++k) {
      moved = std::max(moved, std::abs(after.values[k] - at.values[k]));
    }
    at = std::move(after);
    if (moved <= accuracy) break;
  }
  return at;
}

}  // namespace

AlphaVectors informed_step(const Pomdp& pomdp, const AlphaVectors& next) {
  const auto S = static_cast<std::size_t>(pomdp.state_count());
  AlphaVectors result = gains(pomdp);
  for (int a = 0; a < pomdp.action_count(); ++a) {
    if (pomdp.is_terminal(a)) continue;
    for (int z = 0; z < pomdp.observation_count(); ++z) {
      const AlphaVectors parts = project(pomdp, a, z, next);
      for (std::size_t s = 0; s < S; ++s) {
        double best = parts.values[s];
        for (std::size_t i = 1; i < parts.size(); ++i) best = std::max(best, parts.values[i * S + s]);
        result.row(static_cast<std::size_t>(a))[s] += best;
      }
    }
  }
  return result;
}

AlphaVectors informed_bound(const Pomdp& pomdp, double accuracy) {
  double gain = -INFINITY;
  for (const double value : gains(pomdp).values) gain = std::max(gain, value);
  for (const char ends : pomdp.terminal) {
    if (ends != 0) gain = std::max(gain, 0.0);
  }
  return limit(extreme(pomdp, gain), accuracy,
               [&](const AlphaVectors& at) { return informed_step(pomdp, at); });
}

AlphaVectors blind_step(const Pomdp& pomdp, const AlphaVectors& next) {
  const auto S = static_cast<std::size_t>(pomdp.state_count());
  AlphaVectors result = gains(pomdp);
  for (int a = 0; a < pomdp.action_count(); ++a) {
    if (pomdp.is_terminal(a)) continue;
    const auto after = next.row(static_cast<std::size_t>(a));
    for (std::size_t s = 0; s < S; ++s) {
      const std::span row(pomdp.transition.data() + (a * S + s) * S, S);
      result.row(static_cast<std::size_t>(a))[s] += pomdp.discount * expectation(row, after);
    }
  }
  return result;
}

AlphaVectors blind_bound(const Pomdp& pomdp, double accuracy) {
  double gain = INFINITY;
  for (const double value : gains(pomdp).values) gain = std::min(gain, value);
  for (const char ends : pomdp.terminal) {
    if (ends != 0) gain = std::min(gain, 0.0);
  }
  return limit(extreme(pomdp, gain), accuracy, [&](const AlphaVectors& at) { return blind_step(pomdp, at); });
}

}  // namespace interpole::planning
