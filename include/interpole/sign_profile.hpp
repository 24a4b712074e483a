// How well a sign of the patient's state that those who decide see and the table does not hold would explain
// the decisions, by how often the sign is right (docs/mathematics/hidden-information.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace interpole {

struct SignProfile {
  struct Point {
    double right = 0.0;      // probability that the sign points at the patient's state
    double log_ratio = 0.0;  // log evidence of one set of dynamics with the sign over the best without one
  };
  // The first sign says nothing (1/S), the last is right in 95 of 100 cases, unless the evidence fell so far
  // before that stronger ones were not asked about.
  std::vector<Point> points;
  std::string not_weighed;  // why there are none

  // Of the highest evidence.
  Point best() const;
  // The least informative sign whose log ratio is at least `enough`, between points by a straight line; none:
  // no such sign.
  std::optional<double> least_right(double enough) const;
  // log of the evidence ratio averaged over all strengths of a sign. If there is no sign, a ratio above 1/p
  // has a chance below p.
  double log_mean_ratio() const;
};

}  // namespace interpole
