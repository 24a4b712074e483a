#include "interpole/data/records/visits.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "interpole/base/messages.hpp"
#include "interpole/data/records/name_index.hpp"
#include "interpole/data/records/patient_ids.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

enum Column : std::size_t { kPatient, kStep, kAction, kObservation };
const std::array<std::string, 4> kColumnNames = {"patient", "step", "action", "observation"};

// The table with the four columns selected, in the order of `Column`.
void select_columns(DuckdbTable& table, const std::string& path, std::size_t how_many) {
  std::array<int, 4> found{};
  const std::vector<std::string>& columns = table.columns();
  const NameIndex index(columns);
  for (std::size_t i = 0; i < how_many; ++i) {
    found[i] = index.find(kColumnNames[i]);
    if (found[i] < 0) {
      const std::string nearest = base::closest_name(kColumnNames[i], columns);
      throw input_error(fmt::format(
          "{}: column \"{}\" is missing{}; the first line must name the columns patient, step, "
          "action and observation, "
          "and names {}",
          path, kColumnNames[i], nearest.empty() ? "" : fmt::format("; is it {}?", base::shown(nearest)),
          base::name_list(columns)));
    }
  }
  table.select(std::span(found).first(how_many));
}

// The row at which `patient` first appears before `row`, by reading the table again; −1 if it does not.
std::int64_t first_row_of(const std::string& path, std::string_view patient, std::int64_t row) {
  DuckdbTable table(path);
  select_columns(table, path, 1);
  while (table.read()) {
    const std::span<const Cell> patients = table.cells(kPatient);
    for (std::size_t i = 0; i < patients.size(); ++i) {
      if (table.row_number(i) >= row) return -1;
      if (patients[i].text == patient) return table.row_number(i);
    }
  }
  return -1;
}

// Turns rows into records, one record at a time, and refuses what cannot be one.
class RecordReader {
 public:
  RecordReader(const std::string& path, const Structure& structure)
      : path_(path),
        structure_(structure),
        actions_(structure.actions),
        observations_(structure.observations),
        table_(path) {
    select_columns(table_, path, kColumnNames.size());
  }

  // `visit` returns false to stop early.
  template <class Visit>
  void run(const Visit& visit) {
    bool empty = true;
    while (table_.read()) {
      empty = false;
      const std::array<std::span<const Cell>, 4> cells = {table_.cells(kPatient), table_.cells(kStep),
                                                          table_.cells(kAction), table_.cells(kObservation)};
      for (std::size_t i = 0; i < table_.row_count(); ++i) {
        const std::string_view patient = cells[kPatient][i].text;
        if (patient != patient_ || patient.empty()) {
          if (!steps_.empty() && !visit(RecordView{patient_, steps_, numbers_})) return;
          begin_record(patient, i);
        }
        take_step_number(cells[kStep][i].text, i);
        take_decision(cells[kAction][i].text, cells[kObservation][i].text, i);
      }
    }
    if (empty)
      throw input_error(fmt::format("{}: there are no rows below the header; nothing to learn from", path_));
    visit(RecordView{patient_, steps_, numbers_});
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::size_t i, Column column, fmt::format_string<Args...> message,
                           Args&&... args) const {
    throw input_error(fmt::format("{}: row {}: column {}: {}", path_, table_.row_number(i),
                                  kColumnNames[column], fmt::format(message, std::forward<Args>(args)...)));
  }

  void begin_record(std::string_view patient, std::size_t i) {
    if (patient.empty()) refuse(i, kPatient, "the cell is empty; every row must name its patient");
    if (ids_.seen_before(patient)) {
      const std::int64_t first = first_row_of(path_, patient, table_.row_number(i));
      if (first >= 0) {
        refuse(i, kPatient,
               "patient {} was already in row {}, with other patients between; put the rows of a patient "
               "together",
               base::shown(patient), first);
      }
    }
    patient_.assign(patient);
    steps_.clear();
    numbers_.clear();
  }

  void take_step_number(std::string_view text, std::size_t i) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size()) {
      refuse(i, kStep, "{} is not a whole number; write 1, 2, 3 … (not 1.0)", base::shown(text));
    }
    if (!steps_.empty() && number == numbers_.back()) {
      refuse(i, kStep, "step {} of patient {} is there twice; keep one row for each step", number,
             base::shown(patient_));
    }
    if (!steps_.empty() && number < numbers_.back()) {
      refuse(i, kStep, "step {} of patient {} comes after step {}; sort the rows of a patient by step",
             number, base::shown(patient_), numbers_.back());
    }
    numbers_.push_back(number);
  }

  void take_decision(std::string_view action_name, std::string_view outcome, std::size_t i) {
    if (!steps_.empty() && structure_.is_terminal(steps_.back().action)) {
      refuse(
          i, kAction,
          "patient {} goes on after {}, which ends a record; remove this row or make the action not terminal",
          base::shown(patient_), base::shown(structure_.actions[steps_.back().action]));
    }
    Step step{actions_.find(action_name), kMissing};
    if (step.action < 0) {
      refuse(i, kAction, "{} is not an action of this study{}", base::shown(action_name),
             base::suggestion(action_name, structure_.actions, "the actions are"));
    }
    if (!outcome.empty()) step.observation = outcome_of(step.action, outcome, i);
    steps_.push_back(step);
  }

  int outcome_of(int action, std::string_view outcome, std::size_t i) const {
    if (structure_.is_terminal(action)) {
      refuse(i, kObservation, "{} after {}, which ends the record and yields nothing; leave the cell empty",
             base::shown(outcome), base::shown(structure_.actions[action]));
    }
    const int observation = observations_.find(outcome);
    if (observation < 0) {
      refuse(i, kObservation,
             "{} is not an observation of this study (leave the cell empty where nothing was observed){}",
             base::shown(outcome),
             base::suggestion(outcome, structure_.observations, "the observations are"));
    }
    if (!structure_.can_yield(action, observation)) {
      refuse(i, kObservation,
             "action {} cannot yield {}; correct the cell, or list it among the action's outcomes",
             base::shown(structure_.actions[action]), base::shown(outcome));
    }
    return observation;
  }

  const std::string& path_;
  const Structure& structure_;
  NameIndex actions_;
  NameIndex observations_;
  DuckdbTable table_;
  PatientIds ids_;
  std::string patient_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

void for_each_record(const std::string& path, const Structure& structure, const RecordVisitor& visit) {
  RecordReader(path, structure).run([&](const RecordView& record) {
    visit(record);
    return true;
  });
}

KeptRecord kept(const RecordView& record) {
  return {{std::string(record.patient), {record.steps.begin(), record.steps.end()}},
          {record.numbers.begin(), record.numbers.end()},
          {record.visits.begin(), record.visits.end()}};
}

HistoryTree read_history_tree(const std::string& path, const Structure& structure) {
  HistoryTreeBuilder builder(structure.action_count());
  for_each_record(path, structure, [&](const RecordView& record) { builder.add(record.steps); });
  return builder.build();
}

KeptRecord record_at(const std::string& path, const Structure& structure, std::int64_t index) {
  std::int64_t next = 0;
  KeptRecord found;
  RecordReader(path, structure).run([&](const RecordView& record) {
    if (next == index) found = kept(record);
    return next++ != index;
  });
  if (found.patient.empty()) {
    throw input_error(
        fmt::format("{}: there is no record {} among its {}; was the file changed after it was first read?",
                    path, index, next));
  }
  return found;
}

}  // namespace interpole::data
