// What could have been measured: for each state a few outcomes that stand for all, always the same ones. They
// are points of a rank-1 lattice with the powers of a generalised golden ratio (as evenly spread in several
// dimensions as the golden ratio's multiples are in one), brought to each factor's distribution by its
// quantile function: an average over them is an integral over the outcomes, with no chance in it.
#pragma once

#include <span>
#include <vector>

#include "interpole/parameters.hpp"

namespace interpole::model {

inline constexpr int kOutcomePoints = 128;  // of each state

// x with Φ(x) = p, 0 < p < 1; to 16 digits (Wichura, Algorithm AS 241, 1988).
double normal_quantile(double p);

// Values of one factor in one state, as they would be recorded, at points of the unit interval; `second`:
// more such points, which Student's t alone needs (Bailey, 1994). All as long as `points`.
std::vector<double> values_at(const MeasuredFactor& factor, const double* parameters,
                              std::span<const double> points, std::span<const double> second);

// [i·F + f]: NaN for all factors but those listed.
std::vector<double> outcome_points(const Structure& structure, const Dynamics& dynamics, int action,
                                   int state, std::span<const int> factors, int count = kOutcomePoints);

// How well each such outcome agrees with every state: the rows that belief updates multiply by.
struct OutcomeChances {
  int states = 0;
  int points = 0;               // of each state
  std::vector<double> weights;  // [(s·points + i)·S + s']: of an outcome drawn in state s, the largest is 1

  // Calls visit(share of all that could come, weights by state, the state it was drawn in), where `predicted`
  // is the belief when the outcome comes.
  template <class Visit>
  void each(std::span<const double> predicted, const Visit& visit) const {
    for (int s = 0; s < states; ++s) {
      if (!(predicted[s] > 0.0)) continue;
      for (int i = 0; i < points; ++i) {
        const std::size_t row = (static_cast<std::size_t>(s) * points + i) * states;
        visit(predicted[s] / points, std::span(weights).subspan(row, states), s);
      }
    }
  }
};
OutcomeChances outcome_chances(const Structure& structure, const Dynamics& dynamics, int action,
                               std::span<const int> factors, int count = kOutcomePoints);

// The factors an action yields, ascending.
std::vector<int> yielded_factors(const Structure& structure, int action);

}  // namespace interpole::model
