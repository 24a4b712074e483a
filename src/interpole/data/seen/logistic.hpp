// Logistic regression with a ridge, by Newton's method: small, for a handful of features and some thousand
// rows. Internal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace interpole::data {

struct Features {
  std::size_t count = 0;       // per row; the first is the constant 1
  std::vector<double> values;  // [row × count]

  std::size_t rows() const { return count == 0 ? 0 : values.size() / count; }
  const double* row(std::size_t i) const { return values.data() + i * count; }
};

// Weights that make `target` (0 or 1) of the rows with `used` ≠ 0 likeliest, less `ridge`/2 times the sum of
// their squares (the constant's is free). Always finite.
std::vector<double> fit_logistic(const Features& features, std::span<const char> target,
                                 std::span<const char> used, double ridge);

// The probability that the row's target is 1.
double logistic_probability(const Features& features, std::size_t row, std::span<const double> weights);

}  // namespace interpole::data
