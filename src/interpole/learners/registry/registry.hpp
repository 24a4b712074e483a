// The one table that lists all learners. It drives the command line, `compare`, `reproduce` and the contract
// tests that run over every row.
#pragma once

#include <string>
#include <vector>

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

// In the order in which tables show them.
const std::vector<const Learner*>& all_learners();

std::vector<std::string> learner_names();

// Throws a usage error that names the known ones and suggests the closest.
const Learner& learner_named(const std::string& name);

}  // namespace interpole::learners
