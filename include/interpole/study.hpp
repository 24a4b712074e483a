// A study file (TOML, docs/study-file.md) says what the decision problem is and what is known before looking
// at data.
#pragma once

#include <optional>
#include <string>

#include "interpole/problem.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole {

// A decision problem and how the tables are read that it is learned from.
struct Study : DecisionProblem {
  std::string name;
  std::optional<TableMapping> mapping;  // how the user's own tables become records; none: a visits table
};

// Throws an input error naming file, key, value and remedy.
Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& where);

}  // namespace interpole
