// A fitted model as a learner: on other records it climbs again from where it ended, its terms, kinds and σ
// as they are. Far cheaper than a search; what the choice of terms owes to records that are then held out is
// a handful of yes and no.
#pragma once

#include <memory>

#include "interpole/fit.hpp"
#include "interpole/learners/learner.hpp"
#include "interpole/priors.hpp"

namespace interpole::learners {

// The fit must say how sure it is; it is kept by reference.
std::unique_ptr<Learner> climbed_learner(const FitResult& fit, const Priors& priors);

}  // namespace interpole::learners
