// Records from coded visits, one at a time: the query's rows come sorted by patient and place; here they are
// counted, checked in their order and put together. Internal.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/mapping/mapped_sql.hpp"
#include "interpole/data/mapping/record_rules.hpp"
#include "interpole/data/mapping/visit_code_book.hpp"
#include "interpole/data/mapping/visit_rows.hpp"
#include "interpole/records.hpp"

namespace interpole::data {

class MappedStream {
 public:
  MappedStream(const Study& study, const LockedTables& tables, const MappedSql& sql,
               const std::vector<UsedBins>& bins, MappedSql::Further further);

  // Goes to the next record; false at the end. Throws an input error that names row or patient, visit,
  // column and value for anything that cannot be part of one.
  bool next();

  // Of the present record; everything else is per visit, indices 0 … visits − 1.
  const std::string& patient() const { return patient_; }
  std::size_t visits() const { return kept_.end - kept_.begin; }
  std::span<const Step> steps() const { return steps_; }
  std::span<const std::int32_t> diagnoses() const { return diagnoses_; }  // empty if the study asks for none
  const std::string& visit_name(std::size_t visit) const {
    return visit_texts_ > 0 ? texts_[(kept_.begin + visit) * text_count_]
                            : code_names_[static_cast<std::size_t>(places_[kept_.begin + visit])];
  }
  // Of the first visit.
  const std::string& group() const { return texts_[kept_.begin * text_count_ + visit_texts_]; }
  const std::string& covariate(std::size_t i) const {
    return texts_[kept_.begin * text_count_ + visit_texts_ + 1 + i];
  }
  double value(std::size_t visit, std::size_t i) const {
    return values_[(kept_.begin + visit) * value_count_ + i];
  }

  // Complete once next() has returned false.
  const Attrition& attrition() const { return attrition_; }
  // How many visits were kept with each entry of the code book.
  const VisitCodeBook& book() const { return book_; }
  const std::vector<std::int64_t>& kept_with_code() const { return kept_with_code_; }
  // [factor][digit]: the visits whose action it came of; empty if the study sees nothing before its actions.
  const std::vector<std::vector<std::int64_t>>& kept_with_digit() const { return kept_with_digit_; }
  // What stands in a visit's row of a factor that is seen before the action.
  int digit(std::size_t visit, std::size_t factor) const {
    return book_[codes_[kept_.begin + visit]].visit.digits[factor];
  }
  // The same of one that is taken as it was measured; NaN of others, and where there is no value.
  double number(std::size_t visit, std::size_t factor) const {
    if (!study_.mapping->factors[factor].continuous || digit(visit, factor) == FactorDigit::kMissingValue)
      return std::numeric_limits<double>::quiet_NaN();
    return values_[(kept_.begin + visit) * value_count_ + value_of_[factor]];
  }

 private:
  std::unique_ptr<VisitRows> open_rows(MappedSql::Further further);
  bool gather();  // the rows of the next patient; false at the end
  void take_row();
  bool settle();  // true if a record is left
  void make_steps();
  int outcome_at(std::size_t row);   // of a study that sees something before its actions
  int measured_at(std::size_t row);  // of a study whose factors are measured
  void take_gaps();                  // of a study whose visits have times
  double time_of(std::size_t row) const { return values_[(row + 1) * value_count_ - 1]; }
  void check_order();
  void check_terminal();
  // Rows of a query that looks for what the stream has just met.
  std::vector<std::vector<std::string>> find_again(const std::string& sql, std::size_t columns,
                                                   std::size_t rows);
  [[noreturn]] void refuse_row(int verdict);
  [[noreturn]] void refuse_visit(double place, const std::string& complaint);
  [[noreturn]] void refuse_time(std::size_t row, const std::string& complaint);

  const Study& study_;
  const LockedTables& tables_;
  const MappedSql& sql_;
  const std::vector<UsedBins>& bins_;
  std::size_t visit_texts_;  // 1 if the rows name visits
  std::size_t text_count_;
  std::size_t value_count_;
  std::vector<std::string> code_names_;  // [place], where visits are codes
  Attrition attrition_;
  RecordRules rules_;
  bool more_ = false;  // rows_ stands at a row that was not taken yet
  std::unique_ptr<VisitRows> rows_;

  VisitCodeBook book_;
  std::vector<std::int64_t> kept_with_code_;  // [entry of the book]
  std::vector<std::vector<std::int64_t>> kept_with_digit_;
  std::vector<int> digits_;            // of one outcome
  bool measures_;                      // outcomes are measured, and wanted
  std::size_t first_continuous_;       // among the values of a row
  std::vector<std::size_t> value_of_;  // [factor]: which of the continuous ones it is
  std::vector<double> outcome_;        // of one visit, a value of each factor
  PatientId id_;
  std::string patient_;
  bool has_id_ = false;
  int lost_at_ = -1;
  KeptVisits kept_;
  // Of all the patient's visits that passed row by row …
  std::vector<double> places_;
  std::vector<int> codes_;  // entries of the book
  std::vector<char> ends_;  // empty if the study does not ask
  std::vector<std::string> texts_;
  std::size_t texts_used_ = 0;
  std::vector<double> values_;
  // … and of those that are kept.
  std::vector<Step> steps_;
  std::vector<std::int32_t> diagnoses_;
};

}  // namespace interpole::data
