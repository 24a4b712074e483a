// What a model file says of its own making, for people: how it was fitted, and what to doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace interpole {

struct ModelNotes {
  std::vector<std::string> facts;
  std::vector<std::string> warnings;
  std::optional<double> log_bayes_factor;  // that agent and world differ
};

// Both empty for a file without provenance. The file must have passed read_model.
ModelNotes read_model_notes(const std::string& path);

}  // namespace interpole
