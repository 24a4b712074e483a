// What may differ between groups, and how far: patients, what decision-makers believe of them, or the policy.
#pragma once

#include "interpole/learn/posterior/coupling.hpp"

namespace interpole::learn {

enum class GroupCause { kPatients, kPicture, kPolicy };
inline constexpr int kGroupCauses = 3;

// Standard deviations τ of the groups' deviations, in coordinates; 0: all groups are alike in that.
struct GroupScales {
  CouplingScales patients = {};  // of the world's rows, by their kind
  CouplingScales picture = {};   // of the agent's rows beyond the world's
  double policy = 0.0;           // of the means
  // Decision-makers know how their patients differ: their picture moves with the world. Otherwise it stays.
  bool patients_known = true;

  static GroupScales none() { return {}; }
  bool operator==(const GroupScales&) const = default;
};

// One τ for some kinds of rows of a cause.
struct ScaleOption {
  CouplingScales rows;  // of patients and picture
  double policy = 0.0;  // of the policy
  double log_weight = 0.0;
};

}  // namespace interpole::learn
