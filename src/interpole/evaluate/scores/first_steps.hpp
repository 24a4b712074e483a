// What a policy leads to in its first steps, in a world learned from other records: the chance of every
// action with its outcome at step 1, 2, 3, beside how often it was recorded. This is what MB-IL and GAIL are
// made to get right; a policy that foresees single decisions well need not.
#pragma once

#include <optional>

#include "interpole/history_tree.hpp"
#include "interpole/learners/learner.hpp"

namespace interpole::evaluate {

inline constexpr int kFirstSteps = 3;

// Mean over the first steps of the total variation ½ Σ |predicted − recorded| between distributions over
// (action, outcome), with one more value for "ended before". The world (outcomes given the last action and
// outcome) is counted from `train`, the records are those of `test`; who leaves without a decision leaves as
// in `test`. Histories are enumerated, nothing is drawn; where they are too many, fewer steps are looked at,
// and of records that are told apart every so-many-th kind. nullopt: no records, or the learner holds a
// history impossible.
std::optional<double> first_steps_variation(const HistoryTree& train, const HistoryTree& test,
                                            const Structure& structure,
                                            const learners::FittedLearner& learner);

}  // namespace interpole::evaluate
