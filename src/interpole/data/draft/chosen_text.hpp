// The study file of choices, as TOML. Internal.
#pragma once

#include <string>

#include "interpole/data/draft/study_choice.hpp"

namespace interpole::data {

// `roles.factors` with what yields them and how they are seen.
std::string chosen_text(const std::string& path, const ShapedTable& shaped, const StudyChoice& choice,
                        const ChoiceTable::Roles& roles);

}  // namespace interpole::data
