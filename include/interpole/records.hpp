// What a record is once names have become indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole {

// One decision and what came of it. `observation` is kMissing where nothing was observed or the action is
// terminal. `gap`: the time to the next visit, at which that was observed (a place in Structure::gaps).
struct Step {
  std::int32_t action = 0;
  std::int32_t observation = kMissing;
  std::int32_t gap = kNoGap;
  bool operator==(const Step&) const = default;
};

// One patient's decisions in order.
struct Record {
  std::string patient;
  std::vector<Step> steps;
  std::vector<double> covariates{};  // for a policy that may follow them, as DecisionContext has them
};

}  // namespace interpole
