// `interpole study init`: a commented first draft of a study, from what a table looks like.
#pragma once

#include <string>

#include "interpole/sink.hpp"

namespace interpole::service {

struct StudyInitRequest {
  std::string table;
  std::string output = "study.toml";  // "-": standard output
  bool force = false;                 // replace an output that is there
};

struct StudyInitOutcome {
  bool visits_table = false;  // the table is one already: the draft maps nothing
  int decisions = 0;          // places marked DECIDE in the draft
};

// The draft's text. It parses, and names no cell that fewer than ProfiledTable::kCommon patients share.
// Throws an input error that says what was looked for if the table cannot be made sense of.
std::string draft_study(const std::string& table, StudyInitOutcome* outcome = nullptr);

// Writes it. Throws a usage error if the output exists and force is not set.
StudyInitOutcome run_study_init(const StudyInitRequest& request, Sink& sink);

}  // namespace interpole::service
