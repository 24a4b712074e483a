// Which numbers of patients, or of the picture that decision-makers have of them, differ most between groups.
#pragma once

#include <string>
#include <vector>

#include "interpole/estimate.hpp"
#include "interpole/learn/groups/groups.hpp"

namespace interpole::service {

// One probability of the dynamics in every group.
struct NumberByGroup {
  learn::GroupCause cause = learn::GroupCause::kPatients;  // the world's, or with kPicture the agent's
  Field field = Field::kInitial;
  int action = 0;
  int state = 0;
  int outcome = 0;               // a state, or of observations an outcome
  std::vector<Estimate> values;  // [group]
  int lowest = 0;
  int highest = 0;
  Estimate difference;      // highest − lowest
  double deviations = 0.0;  // of the difference from zero, in its standard deviations
};

// Those whose difference leaves zero out, the clearest first; of every row one.
std::vector<NumberByGroup> numbers_by_group(const Structure& structure, const learn::GroupFit& fit,
                                            learn::GroupCause cause, double level);

std::string sentence_of(const Structure& structure, const std::vector<std::string>& groups,
                        const NumberByGroup& number);

}  // namespace interpole::service
