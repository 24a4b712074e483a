// What decisions follow beside beliefs, as the explorer is given it (docs/explorer-data.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "interpole/agent_world.hpp"

namespace interpole::service {

// `policy` of a model file.
nlohmann::ordered_json explorer_policy_json(const Structure& structure, const PolicyTerms& terms);

// Without the covariates of patients, and without the terms that follow one: a category can be so rare that
// its name tells who it is. The page knows no patient's covariates, so that its numbers are the same without.
PolicyTerms without_covariates(PolicyTerms terms);

// {sentences}, of kinds of decision-makers too. Categories are named with `individual` only; else the
// covariate is. No draws: no sentences, but where there are kinds, that the page shows the commonest.
nlohmann::ordered_json explorer_terms_json(const Structure& structure, const Parameters& agent,
                                           const std::vector<AgentWorld>& draws, bool individual);

}  // namespace interpole::service
