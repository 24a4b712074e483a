#include "interpole/service/study/study_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/data/draft/mapped_draft.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
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

bool is_visits_table(const std::vector<std::string>& columns) {
  const auto has = [&](const char* name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
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
  std::string text = data::draft_head(path, profile);
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

int count_of(const std::string& text, std::string_view word) {
  int count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

std::string draft_study(const std::string& table, StudyInitOutcome* outcome) {
  const bool visits = is_visits_table(data::DuckdbTable(table).columns());
  std::string text;
  if (visits) {
    text = visits_draft(table);
  } else {
    data::ProfiledTable profiled(table);
    require_rows(table, profiled.profile());
    const data::StudyGuess guess = data::guess_study(profiled, table);
    text = data::mapped_draft(table, profiled.profile(), guess);
  }
  // Not counting the sentence at the top that explains the word.
  if (outcome != nullptr) *outcome = {visits, count_of(text, "DECIDE") - 1};
  return text;
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
  StudyInitOutcome outcome;
  const std::string text = draft_study(request.table, &outcome);
  parse_study(text, request.output);  // never hands out a draft that the program would refuse
  base::stop_if_asked(sink, "stopped before the draft was written");
  base::write_file_atomically(request.output, text);
  return outcome;
}

}  // namespace interpole::service
