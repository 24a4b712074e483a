// A convex, piecewise linear function of the belief: the highest of several linear ones, each with the action
// that earns it. Always in terms of gain: more is better, also where a problem states costs.
#pragma once

#include <span>
#include <vector>

namespace interpole::planning {

inline constexpr int kNoAction = -1;

struct AlphaVectors {
  int states = 0;
  std::vector<int> actions;    // [i]: the action, or kNoAction where nothing is left to decide
  std::vector<double> values;  // [i·S + s]

  std::size_t size() const { return actions.size(); }
  bool empty() const { return actions.empty(); }
  std::span<const double> row(std::size_t i) const {
    return {values.data() + i * static_cast<std::size_t>(states), static_cast<std::size_t>(states)};
  }
  std::span<double> row(std::size_t i) {
    return {values.data() + i * static_cast<std::size_t>(states), static_cast<std::size_t>(states)};
  }
  void add(int action, std::span<const double> vector);

  // The value of nothing left to do: zero everywhere.
  static AlphaVectors zero(int states);

  bool operator==(const AlphaVectors&) const = default;
};

// Σ_s values(s) belief(s).
double expectation(std::span<const double> values, std::span<const double> belief);

// The vector highest at a belief, which need not sum to one; the first of equals.
std::size_t best_at(const AlphaVectors& vectors, std::span<const double> belief);
// Its value there.
double value_at(const AlphaVectors& vectors, std::span<const double> belief);

}  // namespace interpole::planning
