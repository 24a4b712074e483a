#include "interpole/planning/q_table.hpp"

#include <algorithm>

#include "interpole/planning/backup.hpp"

namespace interpole {
namespace {

// into[i] += Σ_s vector[s] b_i(s)
void add_expectations(std::span<const double> vector, const BeliefTable& beliefs, double* into) {
  const std::size_t n = beliefs.count;
  for (std::size_t s = 0; s < vector.size(); ++s) {
    const double* column = &beliefs.by_state[s * n];
    const double factor = vector[s];
    for (std::size_t i = 0; i < n; ++i) into[i] += factor * column[i];
  }
}

bool can_follow(const Pomdp& pomdp, int action, int observation) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  for (std::size_t to = 0; to < S; ++to) {
    if (pomdp.observation[(action * S + to) * Z + observation] > 0.0) return true;
  }
  return false;
}

}  // namespace

BeliefTable BeliefTable::of(std::span<const double> beliefs, int states) {
  const auto S = static_cast<std::size_t>(states);
  BeliefTable table{beliefs.size() / S, std::vector<double>(beliefs.size())};
  for (std::size_t i = 0; i < table.count; ++i) {
    for (std::size_t s = 0; s < S; ++s) table.by_state[s * table.count + i] = beliefs[i * S + s];
  }
  return table;
}

std::vector<double> q_table(const Pomdp& pomdp, const AlphaVectors& next, const BeliefTable& beliefs) {
  const std::size_t S = pomdp.states.size();
  const std::size_t n = beliefs.count;
  std::vector<double> q(pomdp.actions.size() * n, 0.0);
  std::vector<double> gains(S);
  std::vector<double> here(n);
  std::vector<double> best(n);
  for (int a = 0; a < pomdp.action_count() && n > 0; ++a) {
    double* const row = &q[a * n];
    for (std::size_t s = 0; s < S; ++s) gains[s] = pomdp.gain(a, static_cast<int>(s));
    add_expectations(gains, beliefs, row);
    if (pomdp.is_terminal(a)) continue;
    for (int z = 0; z < pomdp.observation_count(); ++z) {
      if (!can_follow(pomdp, a, z)) continue;
      const AlphaVectors parts = project(pomdp, a, z, next);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        std::fill(here.begin(), here.end(), 0.0);
        add_expectations(parts.row(k), beliefs, here.data());
        if (k == 0) {
          best.swap(here);
          continue;
        }
        for (std::size_t i = 0; i < n; ++i) best[i] = here[i] > best[i] ? here[i] : best[i];
      }
      for (std::size_t i = 0; i < n; ++i) row[i] += best[i];
    }
  }
  return q;
}

}  // namespace interpole
