// Whether a sign that those who decide see and no table holds explains their decisions: as well as a
// difference between agent and world, or better than nothing (docs/mathematics/hidden-information.md).
#pragma once

#include "interpole/fit.hpp"
#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

namespace interpole::explain {

// By the default priors; terms are as wide as their fitted weights.
learn::SignProfile weigh_sign_of(const FitResult& fit, const HistoryTree& tree, int threads);

}  // namespace interpole::explain
