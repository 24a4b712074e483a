// Alpha-vectors of two states are lines over p, the probability of the second state: pruning is the upper
// envelope of lines over [0, 1], and a sum over outcomes adds two envelopes by walking their kinks. No linear
// program, no cross sum: O(n log n) where the general way solves n² programs.
#pragma once

#include <vector>

namespace interpole::planning {

struct Line {
  double at0 = 0.0;  // value where the first state is certain
  double at1 = 0.0;  // value where the second is
  int action = 0;

  double slope() const { return at1 - at0; }
  double at(double p) const { return at0 + p * (at1 - at0); }
  bool operator==(const Line&) const = default;
};

// An envelope is a list of lines with rising slope, each highest somewhere in [0, 1].
using Envelope = std::vector<Line>;

// Fewer lines than the envelope needs if no value falls by more than `tolerance` for it.
Envelope upper_envelope(std::vector<Line> lines, double tolerance);

// The envelope of all sums of a line of `a` and a line of `b`. Actions are those of `a`.
Envelope sum_of(const Envelope& a, const Envelope& b);

double value_at(const Envelope& envelope, double p);

// The most by which `over` exceeds `under` anywhere in [0, 1]; negative if it is below everywhere.
double largest_excess(const Envelope& over, const Envelope& under);

}  // namespace interpole::planning
