// The `uncertainty` block of a model file: how sure the fit is, with what it takes to turn coordinates back
// into parameters, so that whoever has the file can draw from the posterior without study and data.
#pragma once

#include <optional>
#include <string>

#include "interpole/learn/uncertainty/uncertainty.hpp"

namespace interpole::learn {

// A JSON object.
std::string format_uncertainty(const DecisionProblem& problem, const Uncertainty& uncertainty);

// What the block holds: the uncertainty, and a study that knows what is known (and nothing else).
struct StoredUncertainty {
  DecisionProblem problem;
  Uncertainty uncertainty;
};

// From a model file's text (already read as a model of this structure). Nothing if it has no such block;
// input errors name `where` and the JSON path.
std::optional<StoredUncertainty> parse_uncertainty(const std::string& text, const Structure& structure,
                                                   const std::string& where);
std::optional<StoredUncertainty> read_uncertainty(const std::string& model_file, const Structure& structure);

}  // namespace interpole::learn
