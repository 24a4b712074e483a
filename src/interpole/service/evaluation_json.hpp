// Scores of a model or learner as JSON.
#pragma once

#include <string>

#include "interpole/evaluate/evaluation.hpp"

namespace interpole::service {

std::string to_json(const evaluate::Evaluation& evaluation);

}  // namespace interpole::service
