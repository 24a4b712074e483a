// Shares with intervals, and tests of whether two of them differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

// A difference of two shares and its variance, were the flags of one posterior draw the true ones.
struct ShareDifference {
  double difference = 0.0;
  double variance = 0.0;
};
// `a` of `n` against `c` of `m`, each with one success and one failure added (Agresti and Caffo), so that
// shares of nothing have a variance too.
ShareDifference share_difference(double a, double n, double c, double m);

// Two-sided p-value over draws, by Rubin's rules: the variance is that within draws and (1 + 1/K) times that
// between them, the reference Student's t. None if there is no variance.
std::optional<double> pooled_test(const std::vector<ShareDifference>& by_draw);

// P(|t| ≥ |x|) of Student's t.
double student_two_sided(double x, double degrees);

// Holm's adjustment for the number of comparisons: of m, the smallest times m, the next times m − 1, …, never
// below one before it, at most 1.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace interpole::explain
