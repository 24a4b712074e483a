// The transition of one step after another, whether visits have times or not: that of each distinct pair of
// action and gap is computed once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "interpole/model/time/gap_transition.hpp"
#include "interpole/records.hpp"

namespace interpole::model {

// By one set of dynamics; one thread at a time.
class StepTransitions {
 public:
  // Keeps references.
  StepTransitions(const Structure& structure, const Dynamics& dynamics)
      : structure_(structure), dynamics_(dynamics), over_gap_(structure) {}

  // T [s·S + s'] of the step's action and gap; without a gap no time passes. It stays where it is.
  std::span<const double> of(Step step);

 private:
  const Structure& structure_;
  const Dynamics& dynamics_;
  GapTransition over_gap_;
  std::unordered_map<std::uint64_t, std::vector<double>> known_;  // by action and gap
};

}  // namespace interpole::model
