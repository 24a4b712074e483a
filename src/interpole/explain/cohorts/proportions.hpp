// Shares with intervals, and tests of whether two of them differ.
#pragma once

#include <cstdint>
#include <optional>

#include "interpole/estimate.hpp"

namespace interpole::explain {

// Wilson's interval for `count` of `total` (total > 0; neither need be whole: effective numbers are allowed).
Estimate wilson(double count, double total, double level);

// Fisher's exact test of a table with rows (a, b) and (c, d): the probability, given the margins, of all
// tables at most as probable as this one. Cost O(smallest margin).
double fisher_exact(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d);

// Sums over patients who each contribute `n` tests of which `x` are flagged: tests of one patient are alike,
// so they do not count as independent.
struct ClusterSums {
  std::int64_t patients = 0;
  double x = 0.0, n = 0.0, xx = 0.0, xn = 0.0, nn = 0.0;
  void add(double flagged, double tests);
  ClusterSums& operator+=(const ClusterSums& other);
  double share() const { return x / n; }
  double variance() const;  // of the share, by linearisation; 0 for one patient
};

// Wilson's interval with the number of tests divided by the design effect (at least 1).
Estimate clustered_interval(const ClusterSums& sums, double level);
// Two-sided z test with clustered variances; none where a variance is zero on both sides or a side is empty.
std::optional<double> clustered_test(const ClusterSums& x, const ClusterSums& y);

}  // namespace interpole::explain
