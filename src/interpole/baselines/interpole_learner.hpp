// INTERPOLE itself as a row of the table: learn/fit.hpp in one of its three modes.
#pragma once

#include "interpole/baselines/learner.hpp"
#include "interpole/learn/fit.hpp"

namespace interpole {

// "interpole" (coupled), "interpole-shared" (the paper's), "interpole-subjective" (actions alone).
const Learner& interpole_learner(DynamicsMode mode);

// The mode of a learner of one of these names; nothing of any other.
std::optional<DynamicsMode> interpole_mode_named(const std::string& name);

// What the learner's options mean to a fit.
void apply_interpole_options(const Learner& learner, const LearnerOptions& options, FitOptions& fit);

}  // namespace interpole
