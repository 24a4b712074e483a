// The SQL that turns rows into coded visits. Every row comes out once, sorted by patient and place, with a
// verdict: taken, left out at a stage, or a problem that stops the reading. Internal.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/mapping/mapping_report.hpp"
#include "interpole/data/mapping/visit_code.hpp"
#include "interpole/study.hpp"

namespace interpole::data {

class MappedSql {
 public:
  // `from_sql`: the rows come from the study's own SELECT, whose cells were not cleaned yet. Throws an input
  // error if a column the study names is not among `columns`, or holds lists or objects.
  MappedSql(const Study& study, const LockedTables& tables);

  // Verdicts 1 … stages().size() leave a row out; those beyond are problems.
  const std::vector<std::string>& stages() const { return stages_; }
  bool is_problem(int verdict) const { return verdict > static_cast<int>(stages_.size()); }
  const VisitCode& code() const { return code_; }

  // SELECT id_number, id_text, place, code [, further columns] FROM source, sorted. The id is the number, or
  // the text where there is one; both NULL: none.
  enum Column { kIdNumber, kIdText, kPlace, kCode, kFurther };
  enum class Further { kNone, kVisits, kAll, kValues };
  // kVisits: the visit as the table has it, unless its place says it all (names_visits()). kAll: that, the
  // group, the covariates (all text). kValues: the number of each factor in `derived_factors()`, NULL where
  // it was not measured.
  // kNumbers sorts faster, and fails at an id that is not written as a plain whole number.
  enum class Ids { kAny, kNumbers };
  std::string query(const std::string& source, const std::vector<UsedBins>& bins, Further further,
                    Ids ids = Ids::kAny) const;
  const std::vector<int>& derived_factors() const { return derived_; }
  // Their numbers come after everything else, whatever further columns there are.
  const std::vector<int>& continuous_factors() const { return continuous_; }
  // Whether visits have times: a number, last of all columns.
  bool has_times() const { return !mapping_.record.time.empty(); }
  // Whether the query has to name visits; where they are codes the place is a code's number.
  bool names_visits() const { return mapping_.record.kind != OrderKind::kCodes; }
  // Whether the study's expressions may look at the order of the rows, as row_number() OVER () does.
  bool may_ask_for_order() const;

  // SELECT id, visit, cell, row of the first row with a problem. `row`: SQL for its number, or NULL.
  std::string problem_query(const std::string& source, const std::vector<UsedBins>& bins, int verdict,
                            const std::string& row) const;
  // SELECT visit, row of the rows of a patient at a place, in the order of the table.
  std::string visit_query(const std::string& source, const std::vector<UsedBins>& bins, const std::string& id,
                          double place, const std::string& row) const;
  // SELECT visit, row, time of a patient's visit at a place.
  std::string time_query(const std::string& source, const std::vector<UsedBins>& bins, const std::string& id,
                         double place, const std::string& row) const;
  // What is wrong with the cell: "column X: … is not a number".
  std::string describe_problem(int verdict, const std::string& cell, bool is_null) const;

 private:
  std::string cell(const std::string& column) const;
  std::string cells_layer(const std::string& source, const std::string& row) const;
  std::string read_layer(const std::string& cells) const;
  std::string judged_layer(const std::string& source, const std::vector<UsedBins>& bins,
                           const std::string& row) const;
  std::string place_sql() const;
  std::string time_sql() const;
  std::string action_sql() const;
  std::string digit_sql(int factor, const UsedBins& bins) const;
  std::string verdict_sql() const;
  std::string bad_factor_sql(int factor) const;
  int problem(int kind) const { return static_cast<int>(stages_.size()) + 1 + kind; }

  const Study& study_;
  const TableMapping& mapping_;
  bool from_sql_;
  std::vector<std::string> stages_;
  VisitCode code_;
  std::vector<int> derived_;
  std::vector<int> continuous_;
};

}  // namespace interpole::data
