// What the study builder and its page say to each other (docs/serve.md).
#pragma once

#include <string>

#include "interpole/data/draft/study_choice.hpp"
#include "interpole/service/serve/study_builder.hpp"

namespace interpole::service {

// Throws an input error that names the key.
data::StudyChoice parse_choice(const std::string& body);

// `table`: null if there is none yet.
std::string builder_state_json(const data::ChoiceTable* table, const std::string& name,
                               const std::string& open, const data::StudyChoice& choice);

// Counts of a histogram from 1 to below ProfiledTable::kCommon are null.
std::string built_study_json(const BuiltStudy& built);

}  // namespace interpole::service
