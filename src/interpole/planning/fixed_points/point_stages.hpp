// Stages of dynamic programming at the same points. What may follow each point does not depend on the stage,
// so it is worked out once; a stage then asks which vector is highest at every successor, all in one sweep.
// Only the vectors of best actions are put together.
//
// Cost of a stage: O(o·points·S·n) for n vectors and the o pairs of an action and an outcome that can follow
// it. Serves one thread at a time, and allocates nothing after the first stages.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/planning/fixed_points/distinct_vectors.hpp"
#include "interpole/planning/fixed_points/q_table.hpp"

namespace interpole::planning {

class PointStages {
 public:
  // Refers to both arguments.
  PointStages(const Pomdp& pomdp, const BeliefTable& points);

  // The value at the points with one stage more to go than `next`: each vector once. `followed`, if asked
  // for: the vector of `next` to go on with after each outcome, [vector·Z + z]; 0 where none can follow.
  void back_up(const AlphaVectors& next, AlphaVectors& result, std::vector<int>* followed = nullptr);

 private:
  void find_outcomes();
  void place_successors();
  void weigh_gains();
  void choose_actions();
  // The vector of the best action at a point: gain + Σ_s' T(s'|s,a) Σ_z γ O(z|a,s') α_z(s').
  void best_vector(const AlphaVectors& next, std::size_t point);
  template <std::size_t kStates>
  void put_together(const AlphaVectors& next, std::size_t point);
  void append_followed(std::size_t point, std::vector<int>& followed) const;

  const Pomdp& pomdp_;
  const BeliefTable& points_;
  std::size_t S_;
  std::size_t n_;  // points
  // Pairs o of an action and an outcome that can follow it, action by action. The others are left out.
  std::vector<std::size_t> pairs_;   // those of action a begin at pairs_[a] and end at pairs_[a + 1]
  std::vector<int> outcomes_;        // [o]
  std::vector<double> likelihoods_;  // γ O(z|a,s'), [o·S + s']
  std::vector<double> successors_;   // γ O(z|a,s') Σ_s b_i(s) T(s'|s,a), [(s'·pairs + o)·n + i]
  std::vector<double> gains_;        // Σ_s b_i(s) gain(a,s), [a·n + i]

  // Of the stage at hand.
  std::vector<double> highest_;      // [o·n + i]
  std::vector<std::int64_t> which_;  // the same: the vector to follow
  std::vector<double> q_;            // [i]
  std::vector<double> best_;         // [i]
  std::vector<int> best_actions_;    // [i]
  std::vector<double> ahead_;        // Σ_z γ O(z|a,s') α_z(s'), [s']
  std::vector<double> vector_;       // [s]
  DistinctVectors distinct_;
};

}  // namespace interpole::planning
