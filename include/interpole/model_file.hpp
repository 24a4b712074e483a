// The model file (docs/model-file.md): UTF-8 JSON, versioned, read strictly, written atomically.
#pragma once

#include <string>

#include "interpole/parameters.hpp"

namespace interpole {

// The newest that is read. Models without policy terms are written as version 1, which older programs read
// too.
inline constexpr int kModelFileVersion = 5;

// Throws an input error naming the file, the JSON path and the value if anything is amiss: size, nesting,
// types, repeated keys, dimensions, non-finite numbers, rows that do not sum to one, a newer version.
Model read_model(const std::string& path);

// The same checks on text; `where` stands for the file in messages.
Model parse_model(const std::string& text, const std::string& where);

// `extras` is a JSON object whose keys (provenance, options, fit …) follow the model's own.
std::string format_model(const Model& model, const std::string& extras = "{}");
void write_model(const std::string& path, const Model& model, const std::string& extras = "{}");

}  // namespace interpole
