#include "interpole/service/study/study_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/data/draft/guess_seen.hpp"
#include "interpole/data/draft/mapped_draft.hpp"
#include "interpole/data/tables/table_file.hpp"
#include "interpole/error.hpp"
#include "interpole/service/run_files.hpp"
#include "interpole/study.hpp"

namespace interpole::service {
namespace {

namespace fs = std::filesystem;

void require_rows(const std::string& path, const data::TableProfile& profile) {
  if (profile.rows > 0) return;
  throw input_error(fmt::format("{}: there are no rows; nothing to guess a study from", path));
}

bool is_visits_table(const data::TableProfile& profile) {
  const auto has = [&](const char* name) { return profile.find(name) != nullptr; };
  return has("patient") && has("step") && has("action") && has("observation");
}

// What to say if some values are not listed, or none could be.
std::string omissions(const data::ColumnProfile& column, const char* what, bool placeholder) {
  std::string text;
  if (column.rare() > 0 && !placeholder) {
    text += fmt::format("# DECIDE: {} rows have other {}, each too rare to be shown; add their names.\n",
                        data::safe_rows(column.rare()), what);
  }
  if (placeholder)
    text += fmt::format("# DECIDE: none of the {} is common enough to be shown; replace these.\n", what);
  return text;
}

std::string visits_actions(const data::ProfiledTable& table) {
  const data::ColumnProfile& column = *table.profile().find("action");
  const std::vector<std::string> names = data::common_cells(column);
  std::string text = fmt::format("# What can be done: the {} common values of column \"action\".\n{}",
                                 names.size(), omissions(column, "actions", names.empty()));
  if (names.empty()) return text + data::action_block("action-1") + data::action_block("action-2");
  for (const std::string& name : names) {
    const bool ends = names.size() > 1 && table.goes_on_after(name) == 0;
    const bool reserved = name == "*";
    text += data::action_block(
        reserved ? "action *" : name,
        ends ? "terminal = true  # guessed because the record always ends with it and nothing "
               "is observed after it\n"
             : "");
  }
  return text;
}

std::string visits_draft(const std::string& path) {
  data::ProfiledTable table(path, data::ProfiledTable::Codes::kIgnore);
  table.keep_shared_by("patient");
  const data::TableProfile& profile = table.profile();
  require_rows(path, profile);
  const data::ColumnProfile& observation = *profile.find("observation");
  const std::vector<std::string> names = data::common_cells(observation);
  std::string text = data::draft_head(path, profile, table.common());
  text += fmt::format(
      "# The table has the columns of a visits table (patient, step, action, observation): nothing is "
      "mapped.\n"
      "# What can be observed: the {} common values of column \"observation\"; {} rows have none.\n{}"
      "observations = {}\n\n",
      names.size(), data::safe_rows(profile.rows - observation.filled),
      omissions(observation, "observations", names.empty()),
      names.empty() ? "[\"observation-1\", \"observation-2\"]" : data::toml_list(names));
  text += visits_actions(table);
  text +=
      "# DECIDE which state is which: hidden states could swap names without changing the fit.\n"
      "# [labels]\n# action = \"…\"\n# observation = \"…\"  # likelier in the second state\n"
      "# order = [\"state-1\", \"state-2\"]\n";
  return text;
}

// Whether the observations of a visits table came of the actions beside them, as it promises, so far as the
// decisions say.
bool reads_as_visits(const std::string& text, const std::string& table) {
  try {
    const data::SeenEvidence evidence =
        data::weigh_readings(data::coded_rows(parse_study(text, "the draft"), data_file(table)));
    return !evidence.clear() || evidence.best[0] == data::Reading::kAfter;
  } catch (const Error&) {
    return true;  // a draft with placeholders knows no cell of the table; nothing can be read by it
  }
}

int count_of(const std::string& text, std::string_view word) {
  int count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

Draft draft_table(const std::string& table, data::DraftForm form) {
  Draft draft;
  data::ShapedTable shaped = data::shape_table(table);
  require_rows(table, shaped.table->profile());
  const bool plain = shaped.shape.source.sql.empty() && shaped.shape.source.encoding.empty();
  if (plain && is_visits_table(shaped.table->profile())) {
    draft.text = visits_draft(table);
    // Observations that led to the action beside them are not a visits table's: they have to be mapped.
    draft.visits_table = reads_as_visits(draft.text, table);
  }
  if (!draft.visits_table) {
    try {
      draft.guess = data::guess_study(shaped, table);
      data::guess_seen(table, shaped, *draft.guess);
      data::guess_measured(shaped, *draft.guess);
      draft.text = data::mapped_draft(table, shaped, *draft.guess, form);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInput) throw;
      draft.gave_up = error.what();
      draft.text = data::open_questions(table, shaped, draft.gave_up);
    }
    draft.shape = shaped.shape;
  }
  // Not counting the sentence at the top that explains the word.
  draft.decisions = count_of(draft.text, "DECIDE") - 1;
  return draft;
}

std::string draft_study(const std::string& table, StudyInitOutcome* outcome) {
  const Draft draft = draft_table(table);
  if (!draft.gave_up.empty()) throw input_error(draft.gave_up);
  if (outcome != nullptr) *outcome = {draft.visits_table, draft.decisions};
  return draft.text;
}

StudyInitOutcome run_study_init(const StudyInitRequest& request, Sink& sink) {
  std::error_code ignored;
  if (!request.force && request.output != "-" && fs::is_regular_file(request.output, ignored)) {
    throw usage_error(
        fmt::format("option output {}: the file exists and may hold your own work; choose another name, "
                    "or replace it with option force",
                    request.output));
  }
  require_separate_files({{"option output", request.output}},
                         {{"the draft", data::table_location(request.table).file}});
  const Draft draft = draft_table(request.table);
  // Never hands out a draft that the program would refuse, unless it says that it is none.
  if (draft.gave_up.empty()) parse_study(draft.text, request.output);
  base::stop_if_asked(sink, "stopped before the draft was written");
  base::write_file_atomically(request.output, draft.text);
  if (!draft.gave_up.empty()) {
    throw input_error(fmt::format("{}; what was understood is in {}, with {} questions marked DECIDE",
                                  draft.gave_up, request.output, draft.decisions));
  }
  return {draft.visits_table, draft.decisions};
}

}  // namespace interpole::service
