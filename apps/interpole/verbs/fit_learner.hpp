// `interpole fit` with a learner that is not INTERPOLE.
#pragma once

#include <string>
#include <vector>

#include "interpole/service/fit/learner_fit_task.hpp"
#include "verb.hpp"

namespace interpole::cli {

// Every learner with its options, for --help.
std::string learners_help();

learners::LearnerOptions learner_options_of(const std::vector<std::string>& settings, const Common& common);

// Usage error if a flag was given that only INTERPOLE has.
void refuse_interpole_flags(const CLI::App& verb, const std::string& algorithm);

int fit_learner(const service::LearnerFitRequest& request, const Common& common, bool strict);

}  // namespace interpole::cli
