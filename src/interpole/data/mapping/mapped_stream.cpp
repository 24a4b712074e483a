#include "interpole/data/mapping/mapped_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/time/visit_gaps.hpp"

namespace interpole::data {
namespace {

using Further = MappedSql::Further;

std::size_t visit_texts(const MappedSql& sql, Further further) {
  const bool wanted = further == Further::kVisits || further == Further::kAll;
  return wanted && sql.names_visits() ? 1 : 0;
}

std::size_t further_texts(const TableMapping& mapping, Further further) {
  return further == Further::kAll ? 1 + mapping.covariates.size() : 0;
}

std::vector<std::string> trimmed_codes(const RecordRule& rule) {
  std::vector<std::string> names;
  for (const std::string& code : rule.codes) names.push_back(trimmed(code));
  return names;
}

Attrition with_row_stages(const MappedSql& sql) {
  Attrition attrition;
  for (const std::string& reason : sql.stages()) attrition.dropped.push_back({reason});
  return attrition;
}

}  // namespace

MappedStream::MappedStream(const Study& study, const LockedTables& tables, const MappedSql& sql,
                           const std::vector<UsedBins>& bins, MappedSql::Further further)
    : study_(study),
      tables_(tables),
      sql_(sql),
      bins_(bins),
      visit_texts_(visit_texts(sql, further)),
      text_count_(visit_texts_ + further_texts(*study.mapping, further)),
      value_count_((further == Further::kValues ? sql.derived_factors().size() : 0) +
                   sql.continuous_factors().size() + (sql.has_times() ? 1 : 0)),
      code_names_(trimmed_codes(study.mapping->record)),
      attrition_(with_row_stages(sql)),
      rules_(*study.mapping, attrition_),
      rows_(open_rows(further)),
      book_(study, sql.code()),
      measures_(study.structure.measured() && further != Further::kValues),
      first_continuous_(value_count_ - sql.continuous_factors().size() - (sql.has_times() ? 1 : 0)),
      value_of_(study.mapping->factors.size()),
      outcome_(study.mapping->factors.size()) {
  for (std::size_t i = 0; i < sql.continuous_factors().size(); ++i)
    value_of_[static_cast<std::size_t>(sql.continuous_factors()[i])] = first_continuous_ + i;
  if (!study.mapping->sees_before()) return;
  for (const Factor& factor : study.mapping->factors) {
    kept_with_digit_.emplace_back(static_cast<std::size_t>(FactorDigit::ignored_value(factor)) + 1);
  }
  digits_.resize(study.mapping->factors.size());
}

// The query gives out nothing before it has sorted all rows, so the fast ways can be tried first: what they
// cannot read is found out in time. What cannot be read at all is then refused in the words of the last.
std::unique_ptr<VisitRows> MappedStream::open_rows(Further further) {
  using Ids = MappedSql::Ids;
  std::vector<std::pair<std::string, Ids>> ways;
  if (!tables_.quick_source().empty() && !sql_.may_ask_for_order()) {
    ways = {{tables_.quick_source(), Ids::kNumbers}, {tables_.quick_source(), Ids::kAny}};
  }
  const auto open = [&](const std::string& source, Ids ids) {
    auto rows = std::make_unique<VisitRows>(tables_, sql_.query(source, bins_, further, ids), text_count_,
                                            value_count_);
    more_ = rows->next();
    return rows;
  };
  for (const auto& [source, ids] : ways) {
    try {
      return open(source, ids);
    } catch (const Error&) {
    }
  }
  return open(tables_.source(), Ids::kAny);
}

bool MappedStream::next() {
  while (gather()) {
    if (settle()) return true;
  }
  return false;
}

bool MappedStream::gather() {
  if (!more_) return false;
  lost_at_ = -1;
  texts_used_ = 0;
  places_.clear();
  codes_.clear();
  ends_.clear();
  values_.clear();
  has_id_ = rows_->has_id();
  rows_->get_patient(id_);
  patient_ = id_.text.empty() && has_id_ ? std::to_string(id_.number) : id_.text;
  do {
    take_row();
    more_ = rows_->next();
  } while (more_ && rows_->is_patient(id_));
  return true;
}

void MappedStream::take_row() {
  ++attrition_.rows_in;
  const int code = book_.index_of(rows_->code());
  const CodedVisit& visit = book_[code].visit;
  if (visit.verdict > 0) {
    if (sql_.is_problem(visit.verdict)) refuse_row(visit.verdict);
    ++attrition_.dropped[visit.verdict - 1].rows;
    lost_at_ = std::max(lost_at_, visit.verdict - 1);
    return;
  }
  places_.push_back(rows_->place());
  codes_.push_back(code);
  if (!study_.mapping->filters.drop_if_last.empty()) ends_.push_back(visit.ends_badly ? 1 : 0);
  if (texts_.size() < texts_used_ + text_count_) texts_.resize(texts_used_ + text_count_);
  for (std::size_t i = 0; i < text_count_; ++i) texts_[texts_used_++].assign(rows_->text(i).text);
  for (std::size_t i = 0; i < value_count_; ++i) values_.push_back(rows_->value(i));
}

void MappedStream::make_steps() {
  steps_.clear();
  diagnoses_.clear();
  kept_with_code_.resize(book_.size(), 0);
  for (std::size_t i = kept_.begin; i < kept_.end; ++i) {
    const VisitCodeBook::Entry& entry = book_[codes_[i]];
    int outcome = digits_.empty() ? entry.observation : outcome_at(i);
    if (measures_) outcome = measured_at(i);
    steps_.push_back({entry.visit.action, outcome});
    if (study_.mapping->diagnosis) diagnoses_.push_back(entry.visit.diagnosis);
    ++kept_with_code_[codes_[i]];
  }
  if (sql_.has_times()) take_gaps();
}

void MappedStream::take_gaps() {
  const VisitTime& time = *study_.structure.time;
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    const std::size_t row = kept_.begin + t;
    const double now = time_of(row);
    if (std::isnan(now)) refuse_time(row, "");
    if (t == 0) continue;
    const std::string complaint = model::complaint_about_times(time, time_of(row - 1), now);
    if (!complaint.empty()) refuse_time(row, complaint);
    steps_[t - 1].gap = study_.structure.gaps.table->place_of(now - time_of(row - 1));
  }
}

int MappedStream::outcome_at(std::size_t row) {
  const CodedVisit& visit = book_[codes_[row]].visit;
  const CodedVisit* next = row + 1 < kept_.end ? &book_[codes_[row + 1]].visit : nullptr;
  for (std::size_t k = 0; k < digits_.size(); ++k) {
    digits_[k] = book_.digit_of(k, visit, next);
    if (!study_.structure.is_terminal(visit.action)) ++kept_with_digit_[k][digits_[k]];
  }
  return book_.joint_outcome(visit, digits_);
}

int MappedStream::measured_at(std::size_t row) {
  const CodedVisit& visit = book_[codes_[row]].visit;
  if (study_.structure.is_terminal(visit.action)) return kMissing;
  const CodedVisit* next = row + 1 < kept_.end ? &book_[codes_[row + 1]].visit : nullptr;
  for (std::size_t k = 0; k < outcome_.size(); ++k) {
    const Factor& factor = study_.mapping->factors[k];
    const int digit = book_.digit_of(k, visit, next);
    outcome_[k] = NAN;
    if (digit == FactorDigit::kMissingValue || digit > factor.measured_levels()) continue;
    outcome_[k] = digit - 1;
    if (!factor.continuous) continue;
    const std::size_t at = factor.seen_before ? row + 1 : row;
    outcome_[k] = model::recorded(study_.structure.factors[k], values_[at * value_count_ + value_of_[k]]);
  }
  return study_.structure.outcomes.table->place_of(outcome_);
}

bool MappedStream::settle() {
  if (!has_id_) return false;
  ++attrition_.patients_in;
  if (places_.empty()) {
    ++attrition_.dropped[lost_at_].patients;
    return false;
  }
  check_order();
  kept_ = rules_.apply(places_, ends_, attrition_);
  if (visits() == 0) {
    ++attrition_.dropped[kept_.lost_at].patients;
    return false;
  }
  make_steps();
  check_terminal();
  std::int64_t too_soon = 0;
  for (std::size_t i = kept_.begin + 1; i < kept_.end; ++i) {
    too_soon += rules_.is_crowded(places_[i - 1], places_[i]) ? 1 : 0;
  }
  attrition_.rows_too_soon += too_soon;
  attrition_.patients_too_soon += too_soon > 0 ? 1 : 0;
  attrition_.rows_kept += static_cast<std::int64_t>(visits());
  ++attrition_.patients_kept;
  return true;
}

std::vector<std::vector<std::string>> MappedStream::find_again(const std::string& sql, std::size_t columns,
                                                               std::size_t rows) {
  rows_->stop();
  auto found = tables_.first_rows(sql, columns);
  if (found.size() < rows) {
    throw input_error(
        fmt::format("{}: reading it a second time gave other rows; was it changed meanwhile, or does "
                    "the study's SQL give another result each time?",
                    tables_.files()));
  }
  return found;
}

void MappedStream::check_order() {
  const auto twice = std::adjacent_find(places_.begin(), places_.end());
  if (twice == places_.end()) return;
  const bool numbered = tables_.has_row_numbers();
  const auto found =
      find_again(sql_.visit_query(numbered ? tables_.numbered_source() : tables_.source(), bins_, patient_,
                                  *twice, numbered ? LockedTables::kRowNumber : "NULL"),
                 2, 2);
  const std::string rows = numbered ? fmt::format("rows {} and {}: ", found[0][1], found[1][1]) : "";
  throw input_error(fmt::format("{}: {}patient {} has visit {} twice; keep one row for each visit",
                                tables_.files(), rows, base::shown(patient_), base::shown(found[0][0])));
}

void MappedStream::check_terminal() {
  for (std::size_t t = 0; t + 1 < steps_.size(); ++t) {
    if (!study_.structure.is_terminal(steps_[t].action)) continue;
    refuse_visit(places_[kept_.begin + t + 1],
                 fmt::format("the patient goes on after {}, which ends a record; remove the row, or make the "
                             "action not terminal",
                             base::shown(study_.structure.actions[steps_[t].action])));
  }
}

void MappedStream::refuse_visit(double place, const std::string& complaint) {
  const auto found = find_again(sql_.visit_query(tables_.source(), bins_, patient_, place, "NULL"), 2, 1);
  throw input_error(fmt::format("{}: patient {}, visit {}: {}", tables_.files(), base::shown(patient_),
                                base::shown(found[0][0]), complaint));
}

// No complaint: the cell holds no time.
void MappedStream::refuse_time(std::size_t row, const std::string& complaint) {
  const bool numbered = tables_.has_row_numbers();
  const auto found =
      find_again(sql_.time_query(numbered ? tables_.numbered_source() : tables_.source(), bins_, patient_,
                                 places_[row], numbered ? LockedTables::kRowNumber : "NULL"),
                 3, 1);
  const std::vector<std::string>& cells = found[0];
  std::string reason = complaint;
  if (reason.empty()) {
    reason = fmt::format(
        "{}; every visit of a record needs a time: correct the cell, or list the column under "
        "filters.required to "
        "leave such rows out",
        cells[2].empty() ? "the cell is empty"
                         : base::shown(cells[2]) + " is neither a finite number nor a date");
  }
  throw input_error(fmt::format("{}: {}patient {}, visit {}: column {}: {}", tables_.files(),
                                numbered ? "row " + cells[1] + ": " : "", base::shown(patient_),
                                base::shown(cells[0]), study_.mapping->record.time, reason));
}

void MappedStream::refuse_row(int verdict) {
  const bool numbered = tables_.has_row_numbers();
  const auto found =
      find_again(sql_.problem_query(numbered ? tables_.numbered_source() : tables_.source(), bins_, verdict,
                                    numbered ? LockedTables::kRowNumber : "NULL"),
                 4, 1);
  const std::vector<std::string>& row = found[0];
  const std::string place =
      numbered ? "row " + row[3]
               : fmt::format("patient {}, visit {}", base::shown(row[0]), base::shown(row[1]));
  throw input_error(fmt::format("{}: {}: {}", tables_.files(), place,
                                sql_.describe_problem(verdict, row[2], row[2].empty())));
}

}  // namespace interpole::data
