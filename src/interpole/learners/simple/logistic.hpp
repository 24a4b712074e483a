// Logistic regression on plain features of the history (features/history_features.hpp): the last actions and
// results, counts, covariates. No belief, no memory beyond counts. What it foresees needs no mind to explain.
#pragma once

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

const Learner& logistic_learner();

}  // namespace interpole::learners
