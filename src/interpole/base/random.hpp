// Counter-based random numbers (Philox 4x64, Random123). A stream is named by a seed and up to two indices
// (for example: restart 3; patient 17, purpose 2), so record 17 draws the same numbers whatever thread
// handles it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "interpole/base/random_purpose.hpp"

namespace interpole::base {

class RandomStream {
 public:
  // `part`: of a purpose that leaves its lower half free.
  explicit RandomStream(std::uint64_t seed, std::uint64_t index = 0,
                        RandomPurpose purpose = RandomPurpose::kUnnamed, std::uint32_t part = 0);

  std::uint64_t next_bits();
  double uniform();            // in the open interval (0, 1)
  double normal();             // mean 0, standard deviation 1 (Box-Muller)
  double gamma(double shape);  // scale 1 (Marsaglia-Tsang)
  // A count of mean `mean` ≥ 0: multiplied uniforms below 10, transformed rejection (Hörmann 1993) above.
  std::int64_t poisson(double mean);
  // How many of `trials` succeed. Exact; many trials are halved by drawing their median (a beta), so the cost
  // grows with the logarithm of their number.
  std::int64_t binomial(std::int64_t trials, double probability);

  // An index drawn with the given probabilities, which need not sum to one. At least one must be positive.
  int categorical(std::span<const double> weights);

  // A point of the simplex from Dirichlet(concentration, …, concentration).
  std::vector<double> dirichlet(int size, double concentration = 1.0);

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_;
  int used_ = 4;
  double spare_normal_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace interpole::base
