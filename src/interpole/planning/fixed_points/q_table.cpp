#include "interpole/planning/fixed_points/q_table.hpp"

#include "interpole/planning/exact/backup.hpp"
#include "interpole/planning/fixed_points/highest_vectors.hpp"

namespace interpole::planning {

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
  const PointColumns columns{beliefs.by_state.data(), n, n, S};
  std::vector<double> q(pomdp.actions.size() * n, 0.0);
  for (int a = 0; a < pomdp.action_count(); ++a) {
    double* const row = q.data() + a * n;
    std::vector<double> gains(S);
    for (std::size_t s = 0; s < S; ++s) gains[s] = pomdp.gain(a, static_cast<int>(s));
    add_highest(gains, columns, row);  // of one vector
    for (int z = 0; z < pomdp.observation_count() && !pomdp.is_terminal(a); ++z) {
      if (may_follow(pomdp, a, z)) add_highest(project(pomdp, a, z, next).values, columns, row);
    }
  }
  return q;
}

}  // namespace interpole::planning
