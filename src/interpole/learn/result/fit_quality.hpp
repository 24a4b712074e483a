// What a fit says of itself and of its making, as blocks of a model file. The blocks are optional and may be
// anybody's: what is absent, or of another type, counts as not said.
#pragma once

#include <string>

#include "interpole/fit.hpp"
#include "interpole/learn/fit/fit.hpp"

namespace interpole::learn {

// JSON objects. They hold no times: the same seed gives the same text.
std::string format_quality(const Structure& structure, const FitSummary& summary);
// Of a fit in memory: `counts` and `options` are JSON objects.
std::string format_provenance(const std::string& counts, const std::string& options);
// What is counted of the data, and the options as the provenance names them.
std::string counts_json(const HistoryTree& tree);
std::string options_json(const FitOptions& options);

// `json`: an object, or empty.
FitQuality parse_quality(const std::string& json);
Provenance parse_provenance(const std::string& json);

}  // namespace interpole::learn
