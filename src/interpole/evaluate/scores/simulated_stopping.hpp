// When a learner would stop before simulated patients: its policy is only known at histories, so many
// patients are watched at once and the histories they are at are put to it as a tree. Internal to stopping
// times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/base/random_purpose.hpp"
#include "interpole/evaluate/scores/stopping_time.hpp"

namespace interpole::evaluate {

// The random numbers of a patient: one for the first state, then two per step (state, outcome).

struct StoppingTimes {
  std::vector<int> steps;  // [patient]: of the terminal action, or longest + 1
  std::string complaint;   // if not empty, why there are none
};

StoppingTimes times_of_learner(const Model& truth, const learners::FittedLearner& learner,
                               const StoppingTimeOptions& options, base::RandomPurpose action_stream);

}  // namespace interpole::evaluate
