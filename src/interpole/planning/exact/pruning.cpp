#include "interpole/planning/exact/pruning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace interpole::planning {
namespace {

constexpr std::size_t kMostHints = 256;
constexpr std::size_t kMostSums = 4'000'000;  // numbers in one cross sum

// Highest at `belief` among those still in play; of equals the lexicographically greatest, which is sure to
// be highest alone somewhere nearby.
std::size_t best_of(const AlphaVectors& vectors, const std::vector<std::size_t>& in_play,
                    std::span<const double> belief) {
  std::size_t best = in_play.front();
  double highest = expectation(vectors.row(best), belief);
  for (const std::size_t i : in_play) {
    const double value = expectation(vectors.row(i), belief);
    if (value < highest) continue;
    const auto row = vectors.row(i);
    const auto other = vectors.row(best);
    if (value > highest || std::lexicographical_compare(other.begin(), other.end(), row.begin(), row.end())) {
      highest = value;
      best = i;
    }
  }
  return best;
}

// Is `vector` at or below one of `others` in every state?
bool is_below_one(std::span<const double> vector, const AlphaVectors& others, double tolerance) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto other = others.row(i);
    bool below = true;
    for (std::size_t s = 0; below && s < vector.size(); ++s) below = vector[s] <= other[s] + tolerance;
    if (below) return true;
  }
  return false;
}

void remove(std::vector<std::size_t>& list, std::size_t item) {
  list.erase(std::find(list.begin(), list.end(), item));
}

}  // namespace

Pruner::Pruner(int states, const PruningLimits& limits, const Sink& sink)
    : states_(static_cast<std::size_t>(states)), limits_(limits), sink_(sink), program_(states) {
  for (std::size_t s = 0; s < states_; ++s) {
    hints_.emplace_back(states_, 0.0);
    hints_.back()[s] = 1.0;
  }
}

void Pruner::check_limits(std::size_t kept) const {
  if (sink_.stop_requested()) throw PlanningCut{PlanStop::kInterrupted};
  if (kept > limits_.most_vectors) throw PlanningCut{PlanStop::kVectors};
  if (program_.solved() > limits_.most_programs) throw PlanningCut{PlanStop::kPrograms};
}

void Pruner::remember(std::span<const double> belief) {
  if (hints_.size() < states_ + kMostHints) {
    hints_.emplace_back(belief.begin(), belief.end());
    return;
  }
  hints_[states_ + next_hint_].assign(belief.begin(), belief.end());
  next_hint_ = (next_hint_ + 1) % kMostHints;
}

// One row for each of `others`: how far `vector` is above it, state by state.
std::vector<double> Pruner::above(std::span<const double> vector, const AlphaVectors& others) const {
  std::vector<double> rows(others.values.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = vector[i % states_] - others.values[i];
  return rows;
}

AlphaVectors Pruner::prune(const AlphaVectors& candidates) {
  AlphaVectors kept{static_cast<int>(states_), {}, {}};
  std::vector<std::size_t> in_play(candidates.size());
  std::iota(in_play.begin(), in_play.end(), std::size_t{0});
  const auto keep = [&](std::size_t i) {
    kept.add(candidates.actions[i], candidates.row(i));
    remove(in_play, i);
  };
  for (const auto& hint : hints_) {
    if (in_play.empty()) break;
    const std::size_t best = best_of(candidates, in_play, hint);
    const double others = kept.empty() ? -INFINITY : value_at(kept, hint);
    if (expectation(candidates.row(best), hint) > others + limits_.tolerance) keep(best);
  }
  while (!in_play.empty()) {
    check_limits(kept.size());
    const std::size_t candidate = in_play.back();
    if (is_below_one(candidates.row(candidate), kept, limits_.tolerance)) {
      in_play.pop_back();
      continue;
    }
    const auto answer = program_.decide(above(candidates.row(candidate), kept), limits_.tolerance);
    if (answer.reached > limits_.tolerance) {
      remember(program_.belief());
      keep(best_of(candidates, in_play, program_.belief()));
    } else if (answer.bound <= limits_.tolerance) {
      in_play.pop_back();
    } else {
      keep(candidate);  // undecided by rounding: keeping it is never wrong
    }
  }
  return kept;
}

AlphaVectors Pruner::prune_sums(const AlphaVectors& a, const AlphaVectors& b) {
  if (a.size() * b.size() * states_ > kMostSums) throw PlanningCut{PlanStop::kVectors};
  AlphaVectors sums{static_cast<int>(states_), {}, {}};
  sums.actions.reserve(a.size() * b.size());
  sums.values.reserve(a.size() * b.size() * states_);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      sums.actions.push_back(a.actions[i]);
      for (std::size_t s = 0; s < states_; ++s) sums.values.push_back(a.row(i)[s] + b.row(j)[s]);
    }
  }
  return a.size() == 1 || b.size() == 1 ? sums : prune(sums);
}

double Pruner::largest_excess(const AlphaVectors& over, const AlphaVectors& under) {
  double largest = excess_at_hints(over, under);
  for (std::size_t i = 0; i < over.size(); ++i) {
    check_limits(0);
    const auto rows = above(over.row(i), under);
    if (program_.decide(rows, largest).bound <= largest) continue;  // cannot be the largest
    largest = std::max(largest, program_.maximise(rows).bound);
  }
  return largest;
}

double Pruner::excess_at_hints(const AlphaVectors& over, const AlphaVectors& under) const {
  double largest = -INFINITY;
  for (const auto& hint : hints_) largest = std::max(largest, value_at(over, hint) - value_at(under, hint));
  return largest;
}

}  // namespace interpole::planning
