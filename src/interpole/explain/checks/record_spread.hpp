// Do records differ from each other more than chance lets them? A model with one policy for all has, along a
// record, residuals 1[a was taken] − π(a|b) that owe nothing to one another: the square of their sum is, on
// average, the sum of their variances π(1 − π), however records end. Where two kinds of decision-makers are
// taken for one, residuals of a record lean the same way, and squares are larger
// (docs/mathematics/record-spread.md).
#pragma once

#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::explain {

struct RecordSpread {
  double ratio = 1.0;      // squared sums over what chance gives, of the action that shows it most
  double deviation = 0.0;  // how many standard errors above chance
  int action = 0;

  // One check of each action is made: beyond this, less than one in a thousand by chance.
  static constexpr double kLimit = 4.0;
  bool more_than_chance() const { return deviation > kLimit; }
};

RecordSpread record_spread(const HistoryTree& tree, const Structure& structure, const Parameters& agent);

// "Records differ from each other more than one policy lets them (…)". For a spread beyond chance.
std::string sentence_of(const Structure& structure, const RecordSpread& spread);

}  // namespace interpole::explain
