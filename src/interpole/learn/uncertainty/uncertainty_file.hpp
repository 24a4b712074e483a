// The `uncertainty` block of a model file: how sure the fit is, with what it takes to turn coordinates back
// into parameters, so that whoever has the file can draw from the posterior without study and data.
#pragma once

#include <optional>
#include <string>

#include "interpole/learn/uncertainty/uncertainty.hpp"

namespace simdjson::dom {
class object;
}

namespace interpole::learn {

// What the block holds: the uncertainty, and a problem that knows what is known (and nothing else).
struct StoredUncertainty {
  DecisionProblem problem;
  Uncertainty uncertainty;
};

// What a reader of the block will have, to the last bit.
StoredUncertainty stored_uncertainty(const DecisionProblem& problem, const Uncertainty& uncertainty);

// A JSON object.
std::string format_uncertainty(const DecisionProblem& problem, const Uncertainty& uncertainty);

// From a model file that is parsed, and read as a model of this structure. Of the model's policy terms all
// numbers were learned. Nothing if it has no such block;
// input errors name `where` and the JSON path.
std::optional<StoredUncertainty> uncertainty_of(simdjson::dom::object file, const Structure& structure,
                                                const std::string& where);

}  // namespace interpole::learn
