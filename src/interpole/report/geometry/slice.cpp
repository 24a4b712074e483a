#include "interpole/report/geometry/slice.hpp"

#include <algorithm>

namespace interpole::report {
namespace {

std::vector<double> certain(const Structure& structure, int state) {
  std::vector<double> belief(structure.states.size(), 0.0);
  belief[state] = 1.0;
  return belief;
}

Slice of_states(const Structure& structure, const std::array<int, 3>& states) {
  Slice slice;
  slice.states = states;
  for (int i = 0; i < 3; ++i) {
    slice.corners[i] = certain(structure, states[i]);
    slice.names[i] = structure.states[states[i]];
  }
  return slice;
}

}  // namespace

Belief3 Slice::shown(std::span<const double> belief) const {
  Belief3 shares{};
  double named = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (states[i] >= 0) named += shares[i] = belief[states[i]];
  }
  for (int i = 0; i < 3; ++i) {
    if (states[i] < 0) shares[i] = std::max(0.0, 1.0 - named);
  }
  const double total = shares[0] + shares[1] + shares[2];
  if (!(total > 0.0)) return {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (double& share : shares) share /= total;
  return shares;
}

CornerScores corner_scores(const Policy& policy, const Slice& slice) {
  const std::size_t states = slice.corners[0].size();
  CornerScores scores(policy.means.size() / states);
  for (std::size_t a = 0; a < scores.size(); ++a) {
    const double* const mean = &policy.means[a * states];
    double square = 0.0;
    for (std::size_t s = 0; s < states; ++s) square += mean[s] * mean[s];
    for (int i = 0; i < 3; ++i) {
      double product = 0.0;
      for (std::size_t s = 0; s < states; ++s) product += mean[s] * slice.corners[i][s];
      scores[a][i] = 2.0 * product - square;
    }
  }
  return scores;
}

Slice whole_triangle(const Structure& structure) {
  return of_states(structure, {0, 1, 2});
}

Slice face_without(const Structure& structure, int left_out) {
  std::array<int, 3> states{};
  int next = 0;
  for (int s = 0; s < 4; ++s) {
    if (s != left_out) states[next++] = s;
  }
  return of_states(structure, states);
}

Slice two_and_rest(const Structure& structure, int first, int second, std::span<const double> typical) {
  Slice slice = of_states(structure, {first, second, first});
  slice.states[2] = -1;
  slice.names[2] = "all others";
  std::vector<double> rest(typical.begin(), typical.end());
  rest[first] = rest[second] = 0.0;
  double total = 0.0;
  for (const double weight : rest) total += weight;
  if (!(total > 0.0)) {
    for (std::size_t s = 0; s < rest.size(); ++s) {
      const bool other = static_cast<int>(s) != first && static_cast<int>(s) != second;
      total += rest[s] = other ? 1.0 : 0.0;
    }
  }
  for (double& weight : rest) weight /= total;
  slice.corners[2] = std::move(rest);
  return slice;
}

}  // namespace interpole::report
