// How a model was made, in sentences for people. What to doubt is in FitQuality::warnings.
#pragma once

#include <string>
#include <vector>

#include "interpole/fit.hpp"

namespace interpole::service {

// Empty for a model that says nothing of its making. `file_names`: name the study's and the data's files,
// whose names may tell more than they should.
std::vector<std::string> facts_of(const FitResult& fit, bool file_names = true);

}  // namespace interpole::service
