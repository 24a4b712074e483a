// Coded visits, one row at a time out of the chunks of a query. Internal.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/mapping/mapped_sql.hpp"
#include "interpole/data/mapping/read_ahead.hpp"

namespace interpole::data {

// Whose row it is: a whole number, a text, both (a text such as "007") or, where there is no id, neither.
struct PatientId {
  static constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

  std::int64_t number = kNoNumber;
  std::string text;  // empty: the number says all
};

class VisitRows {
 public:
  // `texts`, `values`: how many further columns of text or of numbers the query has.
  VisitRows(const LockedTables& tables, const std::string& sql, std::size_t texts, std::size_t values);

  bool next() { return ++row_ < size_ || next_chunk(); }  // false at the end
  // Reads no further, so that other queries can be made.
  void stop() { chunks_.stop(); }

  bool has_id() const { return !is_null(number_validity_, row_) || !is_null(id_validity_, row_); }
  bool is_patient(const PatientId& id) const { return number() == id.number && id_text() == id.text; }
  void get_patient(PatientId& id) const {
    id.number = number();
    id.text.assign(id_text());
  }
  double place() const { return is_null(place_validity_, row_) ? kNoPlace : places_[row_]; }
  std::int64_t code() const { return codes_[row_]; }
  const Cell& text(std::size_t i) const { return texts_[i][row_]; }  // valid until the next row
  double value(std::size_t i) const { return values_[i][row_]; }     // NaN where there is none

 private:
  static constexpr double kNoPlace = std::numeric_limits<double>::quiet_NaN();

  bool next_chunk();
  std::int64_t number() const {
    return is_null(number_validity_, row_) ? PatientId::kNoNumber : numbers_[row_];
  }
  std::string_view id_text() const {
    return is_null(id_validity_, row_) ? std::string_view() : view_of(id_texts_[row_]);
  }

  ReadAhead chunks_;
  std::size_t row_ = 0;
  std::size_t size_ = 0;  // of the chunk, as everything below
  const std::int64_t* numbers_ = nullptr;
  const std::uint64_t* number_validity_ = nullptr;
  const duckdb_string_t* id_texts_ = nullptr;
  const std::uint64_t* id_validity_ = nullptr;
  const double* places_ = nullptr;
  const std::uint64_t* place_validity_ = nullptr;
  const std::int64_t* codes_ = nullptr;
  std::vector<std::vector<Cell>> texts_;
  std::vector<std::vector<double>> values_;
};

}  // namespace interpole::data
