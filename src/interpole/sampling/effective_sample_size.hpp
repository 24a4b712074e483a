// R̂ and effective sample size of chains as they are: neither cut nor ranked. diagnostics.hpp does that.
#pragma once

#include <vector>

namespace interpole::sampling {

// Equal chains, one after the other.
struct ChainTable {
  int chains = 0;
  int draws = 0;  // per chain
  std::vector<double> values;

  const double* chain(int c) const { return &values[static_cast<std::size_t>(c) * draws]; }
};

// Needs two chains and two draws in each. +∞ if chains do not move but stand apart, 1 if nothing moves at
// all.
double plain_r_hat(const ChainTable& table);

// Needs six draws per chain. Between a small share of the number of draws and draws · log₁₀(draws): chains
// whose draws alternate can do better than independent ones.
double plain_effective_sample_size(const ChainTable& table);

}  // namespace interpole::sampling
