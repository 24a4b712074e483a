// An outcome that a model calls impossible, said so that a user can find it.
#pragma once

#include <string>

#include "interpole/base/error.hpp"
#include "interpole/data/history_tree.hpp"
#include "interpole/model/structure.hpp"

namespace interpole {

// Names file, patient, step, action and outcome of a node of the tree. `whose`: "the study's known values",
// "the model" …; `remedy`: what to do. Reads the table once more to find the patient.
Error impossible_outcome(const std::string& data, const Structure& structure, const HistoryTree& tree,
                         int node, const std::string& whose, const std::string& remedy);

}  // namespace interpole
