// A finished fit as a value.
#pragma once

#include <string>

#include "interpole/fit.hpp"
#include "interpole/learn/fit/fit.hpp"

namespace interpole::learn {

// What a reader of the fit's model file will have. `provenance`: a JSON object.
FitResult result_of(const FitSummary& summary, const std::string& provenance);

}  // namespace interpole::learn
