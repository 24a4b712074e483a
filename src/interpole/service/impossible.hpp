// An outcome that a model calls impossible, said so that a user can find it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "interpole/data_files.hpp"
#include "interpole/error.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// Names file, patient, step or visit, action and outcome of a node of the tree. `whose`: "the study's known
// values", "the model" …; `remedy`: what to do. Reads the data once more to find the patient.
Error impossible_outcome(const Study& study, const DataFiles& data, const HistoryTree& tree, int node,
                         const std::string& whose, const std::string& remedy);

// The same of an outcome that the study itself rules out.
Error impossible_by_study(const Study& study, const DataFiles& data, const HistoryTree& tree, int node);

// Throws it if the study's known values leave an outcome of the data no chance, whatever is learned.
void require_possible(const Study& study, const DataFiles& data, const HistoryTree& tree);

// The same for a step of a record at hand. `place`: "step 3" or "visit \"m06\"".
Error impossible_outcome(const Structure& structure, const DataFiles& data, const std::string& patient,
                         const std::string& place, int action, int observation, const std::string& whose,
                         const std::string& remedy);

// How people find step `t` of a record: by the visit's name if it has one, or else by its number.
std::string shown_place(std::span<const std::string> visits, std::span<const std::int64_t> numbers,
                        std::size_t t);

}  // namespace interpole::service
