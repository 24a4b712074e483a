// For tests: records of two sites whose doctors declare at different beliefs.
#pragma once

#include <utility>
#include <vector>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::testing {

// A doctor who declares at a belief of `boundary`: half-way between the means of monitoring and declaring.
inline Parameters doctor(double boundary) {
  Parameters p = bias_parameters();
  const double mean = 2.0 * boundary - 0.5;
  p.policy.means = {0.5, 0.5, mean, 1.0 - mean, 1.0 - mean, mean};
  return p;
}

struct Sites {
  std::vector<HistoryTree> trees;
  HistoryTree all;
  Sites(double first, double second, int patients, std::uint64_t seed) {
    std::vector<Record> together;
    for (const auto& [boundary, s] : {std::pair(first, 2 * seed), std::pair(second, 2 * seed + 1)}) {
      const auto records = random_records(bias_study().structure, doctor(boundary), patients, 200, s, 0.0);
      trees.push_back(build_history_tree(3, records));
      together.insert(together.end(), records.begin(), records.end());
    }
    all = build_history_tree(3, together);
  }
};

// The belief in "healthy" at which monitoring gives way to declaring it.
inline double boundary_of(const Policy& policy) {
  double monitor = 0.0;
  double declare = 0.0;
  for (int s = 0; s < 2; ++s) {
    monitor += policy.means[s] * policy.means[s];
    declare += policy.means[2 + s] * policy.means[2 + s];
  }
  // 2 (μ_d − μ_m)·b = ‖μ_d‖² − ‖μ_m‖² at b = (x, 1 − x).
  const double slope = 2.0 * ((policy.means[2] - policy.means[0]) - (policy.means[3] - policy.means[1]));
  return (declare - monitor - 2.0 * (policy.means[3] - policy.means[1])) / slope;
}

}  // namespace interpole::testing
