// An outcome such as "normal | below" is made of parts: the level of each factor. Here is how outcomes fall
// into levels, and which factors an action measures.
#pragma once

#include <string>
#include <vector>

#include "interpole/records.hpp"
#include "interpole/study.hpp"

namespace interpole {

struct OutcomeFactors {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> levels;  // [factor]
  std::vector<int> level;                        // [z·K + k]: the level of factor k in outcome z
  std::vector<char> measured;                    // [a·K + k]: the action can yield more than one level of it
  // Of measured factors, which have values: the factors and the outcomes met. Levels are then of no meaning.
  std::vector<MeasuredFactor> factors{};
  OutcomesMet outcomes{};

  int count() const { return static_cast<int>(names.size()); }
  int level_of(int observation, int factor) const { return level[observation * count() + factor]; }
  bool measures(int action, int factor) const { return measured[action * count() + factor] != 0; }
  std::vector<int> measured_by(int action) const;
  // Those of them that have a value in the outcome.
  std::vector<int> measured_in(Step step) const;
  // "CDR-SB normal"; the outcome's own name where there is one factor.
  std::string words(int observation, int factor) const;
};

// The study's factors; without a mapping, the parts of joint names ("a | b") if they form a full table,
// called by their position; else the outcome is one factor.
OutcomeFactors outcome_factors(const Study& study);
OutcomeFactors outcome_factors(const Structure& structure);  // without a mapping

}  // namespace interpole
