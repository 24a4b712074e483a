#include "interpole/planning/fixed_points/point_stages.hpp"

#include <algorithm>
#include <array>

#include "interpole/planning/fixed_points/highest_vectors.hpp"

namespace interpole::planning {

PointStages::PointStages(const Pomdp& pomdp, const BeliefTable& points)
    : pomdp_(pomdp),
      points_(points),
      S_(pomdp.states.size()),
      n_(points.count),
      q_(n_),
      best_(n_),
      best_actions_(n_),
      ahead_(S_),
      vector_(S_),
      distinct_(n_) {
  find_outcomes();
  place_successors();
  weigh_gains();
  highest_.resize(pairs_.back() * n_);
  which_.resize(pairs_.back() * n_);
}

void PointStages::find_outcomes() {
  const std::size_t Z = pomdp_.observations.size();
  pairs_.assign(1, 0);
  for (int a = 0; a < pomdp_.action_count(); ++a) {
    const double* const O = pomdp_.observation.data() + a * S_ * Z;
    for (int z = 0; z < pomdp_.observation_count() && !pomdp_.is_terminal(a); ++z) {
      if (!may_follow(pomdp_, a, z)) continue;
      outcomes_.push_back(z);
      for (std::size_t to = 0; to < S_; ++to) likelihoods_.push_back(pomdp_.discount * O[to * Z + z]);
    }
    pairs_.push_back(outcomes_.size());
  }
}

void PointStages::place_successors() {
  successors_.assign(S_ * pairs_.back() * n_, 0.0);
  for (int a = 0; a < pomdp_.action_count(); ++a) {
    const double* const T = pomdp_.transition.data() + a * S_ * S_;
    for (std::size_t o = pairs_[a]; o < pairs_[a + 1]; ++o) {
      for (std::size_t to = 0; to < S_; ++to) {
        double* const column = successors_.data() + (to * pairs_.back() + o) * n_;
        for (std::size_t from = 0; from < S_; ++from) {
          const double factor = likelihoods_[o * S_ + to] * T[from * S_ + to];
          const double* const belief = points_.by_state.data() + from * n_;
          for (std::size_t i = 0; i < n_; ++i) column[i] += factor * belief[i];
        }
      }
    }
  }
}

void PointStages::weigh_gains() {
  gains_.assign(pomdp_.actions.size() * n_, 0.0);
  for (int a = 0; a < pomdp_.action_count(); ++a) {
    double* const row = gains_.data() + a * n_;
    for (std::size_t s = 0; s < S_; ++s) {
      const double gain = pomdp_.gain(a, static_cast<int>(s));
      const double* const belief = points_.by_state.data() + s * n_;
      for (std::size_t i = 0; i < n_; ++i) row[i] += gain * belief[i];
    }
  }
}

void PointStages::choose_actions() {
  for (int a = 0; a < pomdp_.action_count(); ++a) {
    std::copy_n(gains_.data() + a * n_, n_, q_.data());
    for (std::size_t o = pairs_[a]; o < pairs_[a + 1]; ++o) {
      const double* const row = highest_.data() + o * n_;
      for (std::size_t i = 0; i < n_; ++i) q_[i] += row[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const bool better = a == 0 || q_[i] > best_[i];
      best_[i] = better ? q_[i] : best_[i];
      best_actions_[i] = better ? a : best_actions_[i];
    }
  }
}

// kStates = 0: the number of states is known at run time only. Most problems have few; then the sums stay in
// registers.
template <std::size_t kStates>
void PointStages::put_together(const AlphaVectors& next, std::size_t point) {
  const std::size_t S = kStates > 0 ? kStates : S_;
  const int action = best_actions_[point];
  std::array<double, kStates> in_registers;
  double* const ahead = kStates > 0 ? in_registers.data() : ahead_.data();
  std::fill_n(ahead, S, 0.0);
  const double* likelihood = likelihoods_.data() + pairs_[action] * S;
  for (std::size_t o = pairs_[action]; o < pairs_[action + 1]; ++o, likelihood += S) {
    const double* const followed = next.values.data() + which_[o * n_ + point] * S;
    for (std::size_t to = 0; to < S; ++to) ahead[to] += likelihood[to] * followed[to];
  }
  const double* const T = pomdp_.transition.data() + action * S * S;
  for (std::size_t s = 0; s < S; ++s) {
    double sum = pomdp_.gain(action, static_cast<int>(s));
    for (std::size_t to = 0; to < S; ++to) sum += T[s * S + to] * ahead[to];
    vector_[s] = sum;
  }
}

void PointStages::best_vector(const AlphaVectors& next, std::size_t point) {
  switch (S_) {
    case 2:
      return put_together<2>(next, point);
    case 3:
      return put_together<3>(next, point);
    case 4:
      return put_together<4>(next, point);
    default:
      return put_together<0>(next, point);
  }
}

void PointStages::append_followed(std::size_t point, std::vector<int>& followed) const {
  const int action = best_actions_[point];
  const std::size_t row = followed.size();
  followed.resize(row + pomdp_.observations.size(), 0);
  for (std::size_t o = pairs_[action]; o < pairs_[action + 1]; ++o) {
    followed[row + outcomes_[o]] = static_cast<int>(which_[o * n_ + point]);
  }
}

void PointStages::back_up(const AlphaVectors& next, AlphaVectors& result, std::vector<int>* followed) {
  const std::size_t successors = pairs_.back() * n_;
  find_highest(next.values, {successors_.data(), successors, successors, S_}, highest_.data(), which_.data());
  choose_actions();
  result.states = next.states;
  result.actions.clear();
  result.values.clear();
  if (followed != nullptr) followed->clear();
  distinct_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    best_vector(next, i);
    const bool is_new = distinct_.add_unless_there(result, best_actions_[i], vector_);
    if (is_new && followed != nullptr) append_followed(i, *followed);
  }
}

}  // namespace interpole::planning
