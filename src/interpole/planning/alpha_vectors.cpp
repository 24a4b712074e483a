#include "interpole/planning/alpha_vectors.hpp"

#include <cmath>

namespace interpole::planning {

void AlphaVectors::add(int action, std::span<const double> vector) {
  actions.push_back(action);
  values.insert(values.end(), vector.begin(), vector.end());
}

AlphaVectors AlphaVectors::zero(int states) {
  return {states, {kNoAction}, std::vector<double>(static_cast<std::size_t>(states), 0.0)};
}

double expectation(std::span<const double> values, std::span<const double> belief) {
  double sum = 0.0;
  for (std::size_t s = 0; s < values.size(); ++s) sum += values[s] * belief[s];
  return sum;
}

std::size_t best_at(const AlphaVectors& vectors, std::span<const double> belief) {
  std::size_t best = 0;
  double highest = -INFINITY;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double value = expectation(vectors.row(i), belief);
    if (value > highest) {
      highest = value;
      best = i;
    }
  }
  return best;
}

double value_at(const AlphaVectors& vectors, std::span<const double> belief) {
  return expectation(vectors.row(best_at(vectors, belief)), belief);
}

}  // namespace interpole::planning
