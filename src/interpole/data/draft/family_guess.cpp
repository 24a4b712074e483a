#include "interpole/data/draft/family_guess.hpp"

#include <fmt/format.h>

#include <cmath>

namespace interpole::data {
namespace {

constexpr double kMargin = 0.02;           // nats for each value: a family that is better by less is not
constexpr double kFewestNats = 3.0;        // … and in all
constexpr double kLargestFirst = 2.0;      // whole numbers that begin above are measured, not counted
constexpr double kFewestSteps = 3.0;       // of rounding in a standard deviation
constexpr double kHeap = 0.05;             // of values at one
constexpr double kHeapBeyondOthers = 2.5;  // times as many as at any other

struct Moments {
  double count, mean, sd, lowest, highest, above_zero, log_mean, log_sd, whole, tenths, hundredths;
};

Moments moments_of(const ProfiledTable& table, const std::string& column) {
  const auto found = table.aggregates(
      column, {"count({})", "avg({})", "stddev_samp({})", "min({})", "max({})", "count({}) FILTER ({} > 0)",
               "avg(ln(CASE WHEN {} > 0 THEN {} END))", "stddev_samp(ln(CASE WHEN {} > 0 THEN {} END))",
               "count({}) FILTER ({} = floor({}))", "count({}) FILTER (abs(10 * {} - round(10 * {})) < 1e-6)",
               "count({}) FILTER (abs(100 * {} - round(100 * {})) < 1e-6)"});
  return {found[0], found[1], found[2], found[3], found[4], found[5],
          found[6], found[7], found[8], found[9], found[10]};
}

// To what values were rounded; 0: finer than hundredths.
double rounding_of(const Moments& found) {
  if (found.whole == found.count) return 1.0;
  if (found.tenths == found.count) return 0.1;
  return found.hundredths == found.count ? 0.01 : 0.0;
}

// log-likelihood of n values of a normal distribution with the mean and spread that they have.
double normal_log_likelihood(double n, double sd) {
  return -n * (std::log(sd) + 0.5 * std::log(2.0 * M_PI) + 0.5);
}

double sum_of(const ProfiledTable& table, const std::string& column, const std::string& term) {
  return table.aggregates(column, {"sum(" + term + ")"})[0];
}

bool is_better(double log_likelihood, double other, double values) {
  const double gain = log_likelihood - other;
  return gain > kFewestNats && gain > kMargin * values;
}

// Counts: Poisson, unless they vary by more than that allows.
std::optional<FamilyGuess> as_counts(const ProfiledTable& table, const std::string& column,
                                     const Moments& found, double of_normal) {
  const double mean = found.mean;
  if (!(mean > 0.0)) return {};
  const double poisson =
      sum_of(table, column, fmt::format("{{}} * {} - {} - lgamma({{}} + 1)", std::log(mean), mean));
  const double excess = found.sd * found.sd - mean;
  double best = poisson;
  FamilyGuess guess{"poisson", "whole numbers from about 0 on, which vary as counts do"};
  if (excess > 0.0) {
    const double size = mean * mean / excess;
    const double spread = sum_of(
        table, column,
        fmt::format("lgamma({{}} + {0}) - {1} - lgamma({{}} + 1) + {{}} * {2} + {3}", size, std::lgamma(size),
                    std::log(mean / (size + mean)), size * std::log(size / (size + mean))));
    if (is_better(spread, poisson, found.count)) {
      best = spread;
      guess = {"negative-binomial",
               fmt::format("whole numbers from about 0 on, which vary more than counts do (variance {:.1f} "
                           "times the mean)",
                           found.sd * found.sd / mean)};
    }
  }
  if (is_better(of_normal, best, found.count)) return {};
  return guess;
}

// A value that many cells have, and hardly any other: what is below or above a limit of detection was
// recorded as the limit, or something else is meant than a measurement. A density would run to infinity
// there.
std::optional<ProfiledTable::CommonNumber> heap_of(const ProfiledTable& table, const std::string& column,
                                                   const std::string& id, double count) {
  const auto commonest = table.commonest(column, id, 2);
  const double second = commonest.size() > 1 ? static_cast<double>(commonest[1].rows) : 0.0;
  const auto rows = static_cast<double>(commonest.at(0).rows);
  if (rows < kHeap * count || rows < kHeapBeyondOthers * second) return {};
  return commonest[0];
}

}  // namespace

std::optional<FamilyGuess> guess_family(const ProfiledTable& table, const std::string& column,
                                        const std::string& id) {
  const Moments found = moments_of(table, column);
  FamilyGuess guess{"normal", "numbers; the logarithm of them is spread no more evenly"};
  if (!(found.sd > 0.0)) return guess;
  const double of_normal = normal_log_likelihood(found.count, found.sd);
  if (found.whole == found.count && found.lowest >= 0.0 && found.lowest <= kLargestFirst) {
    if (auto counts = as_counts(table, column, found, of_normal)) return counts;
  }
  if (found.sd < kFewestSteps * rounding_of(found)) return {};
  if (found.above_zero == found.count && found.log_sd > 0.0) {
    const double of_log = normal_log_likelihood(found.count, found.log_sd) - found.count * found.log_mean;
    if (is_better(of_log, of_normal, found.count)) {
      guess = {"lognormal",
               fmt::format("numbers above 0 whose logarithm is spread more evenly (by {:.2f} nats each)",
                           (of_log - of_normal) / found.count)};
    }
  } else {
    guess.why = "numbers, not all above 0";
  }
  if (const auto heap = heap_of(table, column, id, found.count)) {
    if (heap->ids < table.common()) return {};
    if (heap->value == found.lowest) {
      guess.below = heap->value;
    } else if (heap->value == found.highest) {
      guess.above = heap->value;
    } else {
      return {};
    }
  }
  return guess;
}

}  // namespace interpole::data
