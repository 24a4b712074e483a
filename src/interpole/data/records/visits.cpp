#include "interpole/data/records/visits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "interpole/base/messages.hpp"
#include "interpole/base/number_text.hpp"
#include "interpole/data/records/visit_cells.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

// Where `patient` first appears before a row of the part `path`, in words, by reading the parts again; empty
// if it does not.
std::string first_place_of(std::span<const std::string> parts, std::string_view patient,
                           const std::string& path, std::int64_t row) {
  DuckdbTable table(parts);
  const std::array<int, 4> columns = find_visit_columns(table.columns(), parts[0], 1);
  table.select(std::span(columns).first(1));
  while (table.read()) {
    const std::span<const Cell> patients = table.cells(kPatient);
    for (std::size_t i = 0; i < patients.size(); ++i) {
      const bool here = table.path() == path;
      if (here && table.row_number(i) >= row) return "";
      if (patients[i].text != patient) continue;
      return fmt::format("row {}{}", table.row_number(i), here ? "" : " of " + table.path());
    }
  }
  return "";
}

// Turns rows into records, one record at a time, and refuses what cannot be one.
template <class Cells>
class RecordReader {
 public:
  RecordReader(Cells& cells, std::span<const std::string> parts, const Structure& structure)
      : cells_(cells), parts_(parts), structure_(structure) {}

  // `visit` returns false to stop early.
  template <class Visit>
  void run(const Visit& visit) {
    bool empty = true;
    while (cells_.read()) {
      empty = false;
      for (std::size_t i = 0; i < cells_.row_count(); ++i) {
        if (!cells_.same_patient(i)) {
          if (!steps_.empty() && !visit(RecordView{patient_, steps_, numbers_})) return;
          begin_record(i);
        }
        take_step_number(i);
        take_decision(i);
        if (structure_.timed()) take_time(i);
      }
    }
    if (empty)
      throw input_error(
          fmt::format("{}: there are no rows below the header; nothing to learn from", parts_[0]));
    visit(RecordView{patient_, steps_, numbers_});
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::size_t i, VisitColumn column, fmt::format_string<Args...> message,
                           Args&&... args) const {
    throw input_error(fmt::format("{}: row {}: column {}: {}", cells_.path(), cells_.row_number(i),
                                  kVisitColumns[column], fmt::format(message, std::forward<Args>(args)...)));
  }

  void begin_record(std::size_t i) {
    patient_.assign(cells_.text(kPatient, i));
    if (patient_.empty()) refuse(i, kPatient, "the cell is empty; every row must name its patient");
    if (cells_.begin(i)) {
      const std::string first = first_place_of(parts_, patient_, cells_.path(), cells_.row_number(i));
      if (!first.empty()) {
        refuse(i, kPatient,
               "patient {} was already in {}, with other patients between; put the rows of a patient "
               "together",
               base::shown(patient_), first);
      }
    }
    steps_.clear();
    numbers_.clear();
  }

  void take_step_number(std::size_t i) {
    const std::optional<std::int64_t> number = cells_.step(i);
    if (!number) {
      refuse(i, kStep, "{} is not a whole number; write 1, 2, 3 … (not 1.0)",
             base::shown(cells_.text(kStep, i)));
    }
    if (!steps_.empty() && *number == numbers_.back()) {
      refuse(i, kStep, "step {} of patient {} is there twice; keep one row for each step", *number,
             base::shown(patient_));
    }
    if (!steps_.empty() && *number < numbers_.back()) {
      refuse(i, kStep, "step {} of patient {} comes after step {}; sort the rows of a patient by step",
             *number, base::shown(patient_), numbers_.back());
    }
    numbers_.push_back(*number);
  }

  void take_decision(std::size_t i) {
    if (!steps_.empty() && structure_.is_terminal(steps_.back().action)) {
      refuse(
          i, kAction,
          "patient {} goes on after {}, which ends a record; remove this row or make the action not terminal",
          base::shown(patient_), base::shown(structure_.actions[steps_.back().action]));
    }
    Step step{cells_.action(i), kMissing};
    if (step.action < 0) {
      const std::string_view name = cells_.text(kAction, i);
      refuse(i, kAction, "{} is not an action of this study{}", base::shown(name),
             base::suggestion(name, structure_.actions, "the actions are"));
    }
    if (structure_.measured()) {
      step.observation = measured_of(step.action, i);
    } else if (cells_.has_outcome(i)) {
      step.observation = outcome_of(step.action, i);
    } else if (structure_.not_recorded != kMissing &&
               structure_.can_yield(step.action, structure_.not_recorded)) {
      step.observation = structure_.not_recorded;
    }
    steps_.push_back(step);
  }

  // The step before led to here: that is when its gap is known.
  void take_time(std::size_t i) {
    const std::string_view cell = cells_.time_text(i);
    const std::optional<double> time = base::number_in(cell);
    if (!time) {
      refuse_time(i, "{}; write when the visit was, as a number of {}",
                  cell.empty() ? "the cell is empty" : base::shown(cell) + " is not a finite number",
                  structure_.time->unit);
    }
    if (steps_.size() > 1) {
      const std::string complaint = model::complaint_about_times(*structure_.time, time_, *time);
      if (!complaint.empty()) refuse_time(i, "{}", complaint);
      steps_[steps_.size() - 2].gap = structure_.gaps.table->place_of(*time - time_);
    }
    time_ = *time;
  }

  template <class... Args>
  [[noreturn]] void refuse_time(std::size_t i, fmt::format_string<Args...> message, Args&&... args) const {
    throw input_error(fmt::format("{}: row {}: column {}: patient {}: {}", cells_.path(),
                                  cells_.row_number(i), kTimeColumn, base::shown(patient_),
                                  fmt::format(message, std::forward<Args>(args)...)));
  }

  // Of measured factors: an empty cell says nothing.
  int measured_of(int action, std::size_t i) {
    outcome_.assign(structure_.factors.size(), NAN);
    for (std::size_t f = 0; f < outcome_.size(); ++f) {
      const std::string_view cell = cells_.factor_text(f, i);
      if (cell.empty()) continue;
      const MeasuredFactor& factor = structure_.factors[f];
      const bool terminal = structure_.is_terminal(action);
      if (terminal || !factor.yielded(action)) {
        refuse_factor(i, factor, "{} after {}, which {}; leave the cell empty", base::shown(cell),
                      base::shown(structure_.actions[action]),
                      terminal ? "ends the record and yields nothing" : "does not yield it (yielded_by)");
      }
      outcome_[f] = model::recorded(factor, value_of(factor, cell, i));
    }
    return structure_.outcomes.table->place_of(outcome_);
  }

  double value_of(const MeasuredFactor& factor, std::string_view cell, std::size_t i) const {
    if (factor.has_levels()) {
      const auto level = std::find(factor.levels.begin(), factor.levels.end(), cell);
      if (level != factor.levels.end()) return static_cast<double>(level - factor.levels.begin());
      refuse_factor(i, factor, "{} is not a level of this factor (leave the cell empty where it has none){}",
                    base::shown(cell), base::suggestion(cell, factor.levels, "the levels are"));
    }
    double number = 0.0;
    const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (problem != std::errc() || end != cell.data() + cell.size() || !std::isfinite(number)) {
      refuse_factor(i, factor, "{} is not a finite number; correct the cell, or leave it empty",
                    base::shown(cell));
    }
    const std::string complaint = model::complaint_about(factor, number);
    if (!complaint.empty()) refuse_factor(i, factor, "{}", complaint);
    return number;
  }

  template <class... Args>
  [[noreturn]] void refuse_factor(std::size_t i, const MeasuredFactor& factor,
                                  fmt::format_string<Args...> message, Args&&... args) const {
    throw input_error(fmt::format("{}: row {}: column {}: {}", cells_.path(), cells_.row_number(i),
                                  factor.name, fmt::format(message, std::forward<Args>(args)...)));
  }

  int outcome_of(int action, std::size_t i) const {
    const int observation = cells_.observation(i);
    if (observation >= 0 && structure_.can_yield(action, observation)) return observation;
    const std::string_view outcome = cells_.text(kObservation, i);
    if (structure_.is_terminal(action)) {
      refuse(i, kObservation, "{} after {}, which ends the record and yields nothing; leave the cell empty",
             base::shown(outcome), base::shown(structure_.actions[action]));
    }
    if (observation < 0) {
      refuse(i, kObservation,
             "{} is not an observation of this study (leave the cell empty where nothing was observed){}",
             base::shown(outcome),
             base::suggestion(outcome, structure_.observations, "the observations are"));
    }
    refuse(i, kObservation,
           "action {} cannot yield {}; correct the cell, or list it among the action's outcomes",
           base::shown(structure_.actions[action]), base::shown(outcome));
  }

  Cells& cells_;
  std::span<const std::string> parts_;
  const Structure& structure_;
  std::string patient_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> outcome_;  // of one row, where factors are measured
  double time_ = 0.0;            // of the last row, where visits have times
};

// `visit` returns false to stop early.
template <class Visit>
void read_visits(std::span<const std::string> parts, const Structure& structure, const Visit& visit) {
  auto content = parts.size() == 1 ? memory_table(parts[0]) : nullptr;
  if (content) {
    MemoryVisits cells(std::move(content), parts[0], structure);
    RecordReader<MemoryVisits>(cells, parts, structure).run(visit);
  } else {
    FileVisits cells(parts, structure);
    RecordReader<FileVisits>(cells, parts, structure).run(visit);
  }
}

}  // namespace

void for_each_record(const std::string& path, const Structure& structure, const RecordVisitor& visit) {
  for_each_record(std::span(&path, 1), structure, visit);
}

void for_each_record(std::span<const std::string> parts, const Structure& structure,
                     const RecordVisitor& visit) {
  read_visits(parts, structure, [&](const RecordView& record) {
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
  return read_history_tree(std::span(&path, 1), structure);
}

HistoryTree read_history_tree(std::span<const std::string> parts, const Structure& structure) {
  HistoryTreeBuilder builder(structure.action_count());
  for_each_record(parts, structure, [&](const RecordView& record) { builder.add(record.steps); });
  return builder.build();
}

KeptRecord record_at(std::span<const std::string> parts, const Structure& structure, std::int64_t index) {
  std::int64_t next = 0;
  KeptRecord found;
  read_visits(parts, structure, [&](const RecordView& record) {
    if (next == index) found = kept(record);
    return next++ != index;
  });
  if (found.patient.empty()) {
    throw input_error(
        fmt::format("{}: there is no record {} among its {}; was the file changed after it was first read?",
                    parts[0], index, next));
  }
  return found;
}

}  // namespace interpole::data
