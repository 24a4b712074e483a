// Whether a sign that those who decide see and no table holds explains their decisions: as well as a
// difference between agent and world, or better than nothing (docs/mathematics/hidden-information.md).
#pragma once

#include <optional>

#include "interpole/fit.hpp"
#include "interpole/model_checks.hpp"

namespace interpole::explain {

inline constexpr const char* kHiddenInformation = "hidden-information";

// By the default priors; terms are as wide as their fitted weights. Not of models that do not say how sure
// they are, nor of those that do not explain results.
SignProfile weigh_sign_of(const FitResult& fit, const HistoryTree& tree, int threads);

// The check that follows from it. `log_bayes_factor`: of two sets of dynamics over one, which a sign has to
// beat too.
ModelCheck hidden_information(const SignProfile& profile, std::optional<double> log_bayes_factor);

// Both, judged by itself at the usual rate of false alarms; nothing: it could not be weighed.
std::optional<ModelCheck> check_hidden_information(const FitResult& fit, const HistoryTree& tree,
                                                   int threads);

}  // namespace interpole::explain
