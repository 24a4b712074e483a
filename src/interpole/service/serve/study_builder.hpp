// The study builder of a live session: a table, what is chosen of it, and what comes of the choice. One table
// at a time; a table that was sent from the page lies in a private folder until the session ends.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data/draft/study_choice.hpp"
#include "interpole/data_files.hpp"
#include "interpole/service/study/study_task.hpp"

namespace interpole::service {

// What a choice comes to. As far as it can be told: `trouble` says what is missing or wrong.
struct BuiltStudy {
  std::string trouble;
  std::optional<data::ChoiceTable::Roles> roles;
  std::vector<data::Histogram> histograms;  // [factor] of numbers; empty ones of others
  std::string text;                         // the study file
  std::optional<StudyCheck> check;
  std::vector<std::vector<Step>> preview;  // the first records, as the study reads them
};

// Files of a built study, for a fit; `study` does not change when the choice does.
struct BuiltFiles {
  std::string study;
  DataFiles data;
  std::string study_name;  // under which the page's reader knows them
  std::string table_name;
};

// Every function may be called from any thread; they wait for each other.
class StudyBuilder {
 public:
  StudyBuilder() = default;
  explicit StudyBuilder(const std::string& table);  // a file; throws as ChoiceTable

  // A table sent by the page: its name (any text) and its bytes. Throws as ChoiceTable; the table from before
  // then stays.
  void take(std::string_view name, const std::string& bytes);

  bool has_table() const;
  std::string state_json() const;  // table, columns, the present choice
  // Answers with a BuiltStudy as JSON. Throws an input error if the body is no choice.
  std::string choose(const std::string& body);

  // Nothing, unless the last choice made a study that records are left for.
  std::optional<BuiltFiles> files();

 private:
  void open(const std::string& path, const std::string& shown);
  BuiltStudy build();
  std::string without_folder(std::string message) const;

  mutable std::mutex mutex_;  // guards what follows
  std::unique_ptr<base::TemporaryFolder> folder_;
  std::unique_ptr<data::ChoiceTable> table_;
  std::string shown_;  // the table's name
  std::string open_;   // what could not be guessed
  data::StudyChoice choice_;
  std::string text_;  // of the last choice that can be fitted; empty: none
  int tables_ = 0;    // taken so far
  int studies_ = 0;   // written so far
};

// A file name without folders and with harmless characters only: "a/b c.csv" → "b_c.csv".
std::string safe_file_name(std::string_view name);

}  // namespace interpole::service
