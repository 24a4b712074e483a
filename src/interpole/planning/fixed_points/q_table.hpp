// q(b,a) of every action at many beliefs at once: the same look-ahead as ValueFunction::q, several beliefs in
// one instruction (highest_vectors.hpp). Cost O(A·Z·n·S·beliefs) for n vectors.
#pragma once

#include <span>
#include <vector>

#include "interpole/planning/alpha_vectors.hpp"
#include "interpole/planning/pomdp.hpp"

namespace interpole::planning {

// Beliefs by state: by_state[s·count + i] is what belief i gives to state s.
struct BeliefTable {
  std::size_t count = 0;
  std::vector<double> by_state;

  // From belief after belief, [i·S + s].
  static BeliefTable of(std::span<const double> beliefs, int states);
};

// [a·count + i]. `next`: the value with one stage less to go (ValueFunction::next()).
std::vector<double> q_table(const Pomdp& pomdp, const AlphaVectors& next, const BeliefTable& beliefs);

}  // namespace interpole::planning
