// `interpole study init`: a commented first draft of a study, from what a table looks like.
#pragma once

#include <optional>
#include <string>

#include "interpole/data/draft/mapped_draft.hpp"
#include "interpole/data/draft/study_guess.hpp"
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

// All that was guessed about a table.
struct Draft {
  std::string text;  // the study, or what was understood of the table
  bool visits_table = false;
  int decisions = 0;
  std::string gave_up;     // why there is no study; empty: there is
  data::TableShape shape;  // of a table that is mapped, as is the guess
  std::optional<data::StudyGuess> guess;
};
// `form`: of a table that is mapped.
Draft draft_table(const std::string& table, data::DraftForm form = data::DraftForm::kMeasured);

// The draft's text. It parses, and names no cell that fewer than ProfiledTable::kCommon patients share.
// Throws an input error that says what was looked for if the table cannot be made sense of.
std::string draft_study(const std::string& table, StudyInitOutcome* outcome = nullptr);

// Writes it. Throws a usage error if the output exists and force is not set.
StudyInitOutcome run_study_init(const StudyInitRequest& request, Sink& sink);

}  // namespace interpole::service
