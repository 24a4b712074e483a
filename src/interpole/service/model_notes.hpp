// What a model file says of its own making, for people: how it was fitted, and what to doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/learn/posterior/explained_terms.hpp"

namespace interpole::service {

struct ModelNotes {
  std::vector<std::string> facts;
  std::vector<std::string> warnings;
  std::optional<double> log_bayes_factor;  // that agent and world differ
  std::optional<DynamicsMode> dynamics;    // with which it was fitted
};

// Both empty for a file without provenance. The file must have passed read_model. `file_names`: name the
// study's and the data's files, whose names may tell more than they should.
ModelNotes read_model_notes(const std::string& path, bool file_names = true);

}  // namespace interpole::service
