// Which of several vectors is highest at each of many points, and how high there: what planning at many
// beliefs spends its time on. Compiled once per instruction set; the best one is chosen at run time.
// Cost O(vectors·points·S).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace interpole::planning {

// Points by state: values[s·stride + i] is coordinate s of point i. They need not sum to one.
struct PointColumns {
  const double* values = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
  std::size_t states = 0;
};

// highest[i] = max_k Σ_s vectors[k·S + s] x_i(s), and which[i] the first k that reaches it.
void find_highest(std::span<const double> vectors, const PointColumns& points, double* highest,
                  std::int64_t* which);

// sums[i] += max_k Σ_s vectors[k·S + s] x_i(s). There must be at least one vector.
void add_highest(std::span<const double> vectors, const PointColumns& points, double* sums);

}  // namespace interpole::planning
