// Stopping-time error (paper, section 5): a true and a fitted decision-maker watch the same patients; how
// many steps apart do they stop?
//
// "The same" means: a patient's hidden state and outcomes come from uniform numbers fixed by (seed, patient,
// step). With one action that goes on (DIAG, BIAS), both see the very same results until one stops. With
// several, each gets what those numbers yield for the action it took.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpole/learners/learner.hpp"
#include "interpole/parameters.hpp"

namespace interpole::evaluate {

struct StoppingTimeOptions {
  std::int64_t patients = 500;
  std::uint64_t seed = 1;
  int longest = 1000;  // who has not stopped by then counts as stopping one step later

  void validate() const;  // throws a usage error
};

struct StoppingTimeError {
  // Mean |τ − τ̂|. `independent`: the two draw their actions independently (the paper's figure; two copies of
  // one policy differ too, by chance). `common`: both draw with the same random numbers, which leaves the
  // difference of the two; equal ones give 0. nullopt where `undefined_because` says why.
  std::optional<double> independent;
  std::optional<double> common;
  double mean_of_truth = 0.0;   // mean τ
  double mean_of_fit = 0.0;     // mean τ̂, with independent draws
  std::int64_t unfinished = 0;  // patients whom one of the two had not stopped by `longest`
  std::string undefined_because;
  // |τ − τ̂| of each simulated patient, for intervals.
  std::vector<int> independent_of_each, common_of_each;
};

// Patients come from the truth's world (its agent's dynamics if it states no world).
StoppingTimeError stopping_time_error(const Model& truth, const Model& fit,
                                      const StoppingTimeOptions& options = {});

// The same of any learner. With one action that goes on, its policy is asked at all histories of a good many
// steps at once; with several, step by step.
StoppingTimeError stopping_time_error(const Model& truth, const learners::FittedLearner& fit,
                                      const StoppingTimeOptions& options = {});

}  // namespace interpole::evaluate
