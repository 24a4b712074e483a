// What warehouses spell differently. Everything is text: no warehouse is asked anything.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace interpole::data {

class SqlDialect {
 public:
  enum class Kind { kDuckdb, kPostgres, kSpark, kBigquery, kSnowflake, kTrino, kClickhouse };

  explicit SqlDialect(Kind kind) : kind_(kind) {}
  // Throws a usage error that lists them.
  static SqlDialect named(const std::string& name);
  static std::span<const std::string> names();

  Kind kind() const { return kind_; }
  const std::string& name() const;

  // A text and a number as constants, in quotes where they need them.
  std::string text(std::string_view text) const;
  std::string number(double number) const;
  // A column as a study writes it. In quotes only where it must be: without them, warehouses look past case.
  std::string column(std::string_view name) const;
  // The name of a column of the result: always in quotes, so that it keeps its case.
  std::string alias(std::string_view name) const;
  // table, schema.table or project.schema.table. Throws a usage error if it is none of them.
  std::string table(const std::string& name) const;

  // Expressions as other types. NULL stays NULL.
  std::string as_text(const std::string& expression) const;
  std::string as_whole_number(const std::string& expression) const;  // of a number, or a text that is one
  std::string as_number(const std::string& text) const;              // NULL if the text is none
  std::string as_days(const std::string& text) const;                // a date or time; NULL if it is none
  // The type that DuckDB calls so (DOUBLE, INTEGER, VARCHAR …); empty: no counterpart.
  std::string type(std::string_view duckdb_type) const;

  // The value in the row before or after, in the order of `by` within a record. NULL where there is none.
  std::string lag(const std::string& expression, const std::string& record, const std::string& by) const;
  std::string lead(const std::string& expression, const std::string& record, const std::string& by) const;

  // The codes of a record in the order of their places, blanks between, and whether two places are equal. The
  // first two are aggregates over the rows of a record; the others are computed from their columns, `steps`
  // and `ties`.
  struct OrderedSteps {
    std::string steps, ties;
    std::string sequence, has_ties;
  };
  OrderedSteps ordered_steps(const std::string& place, const std::string& code, std::int64_t codes,
                             const std::string& steps_column, const std::string& ties_column) const;

 private:
  bool is(Kind kind) const { return kind_ == kind; }
  bool quotes_by_backtick() const;
  std::string quoted(std::string_view name) const;
  std::string neighbour(const char* function, const std::string& expression, const std::string& record,
                        const std::string& by) const;

  Kind kind_;
};

}  // namespace interpole::data
