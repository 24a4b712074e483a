// The four columns of a visits table, cell by cell: from its files (through DuckDB) or from memory. Both say
// the same of the same table; records are put together from either in visits.cpp. Internal.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/data/records/name_index.hpp"
#include "interpole/data/records/patient_ids.hpp"
#include "interpole/data/sources/memory_table.hpp"
#include "interpole/data/tables/duckdb_table.hpp"
#include "interpole/structure.hpp"

namespace interpole::data {

enum VisitColumn : std::size_t { kPatient, kStep, kAction, kObservation };
inline const std::array<std::string, 4> kVisitColumns = {"patient", "step", "action", "observation"};

// Of measured factors: their columns, which have their names. Throws an input error.
std::vector<int> find_factor_columns(const std::vector<std::string>& columns, const std::string& path,
                                     const Structure& structure);

// Where the first `how_many` of the four stand among the columns of a table. Throws an input error.
std::array<int, 4> find_visit_columns(const std::vector<std::string>& columns, const std::string& path,
                                      std::size_t how_many);

inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

// Rows come in chunks; `i` is a row of the present one.
class FileVisits {
 public:
  FileVisits(std::span<const std::string> parts, const Structure& structure);

  bool read();                                               // false at the end
  const std::string& path() const { return table_.path(); }  // of the present chunk
  std::size_t row_count() const { return table_.row_count(); }
  std::int64_t row_number(std::size_t i) const { return table_.row_number(i); }
  std::string_view text(VisitColumn column, std::size_t i) const { return cells_[column][i].text; }
  // The row is one more of the patient of the last begin(); false where the cell is empty.
  bool same_patient(std::size_t i) const {
    return text(kPatient, i) == patient_ && !text(kPatient, i).empty();
  }
  // True if the patient, or one that looks alike (patient_ids.hpp), was there before.
  bool begin(std::size_t i) {
    patient_.assign(text(kPatient, i));
    return ids_.seen_before(patient_);
  }
  std::optional<std::int64_t> step(std::size_t i) const { return whole_number(text(kStep, i)); }
  bool has_outcome(std::size_t i) const { return !text(kObservation, i).empty(); }
  // −1: there is none of that name.
  int action(std::size_t i) const { return actions_.find(text(kAction, i)); }
  int observation(std::size_t i) const { return observations_.find(text(kObservation, i)); }
  std::string_view factor_text(std::size_t factor, std::size_t i) const { return factors_[factor][i].text; }

 private:
  NameIndex actions_;
  NameIndex observations_;
  DuckdbTable table_;
  std::array<std::span<const Cell>, 4> cells_;
  std::vector<std::span<const Cell>> factors_;
  PatientIds ids_;
  std::string patient_;
};

// All rows are one chunk. Of coded columns names are looked up once for each category, not for each cell.
class MemoryVisits {
 public:
  MemoryVisits(std::shared_ptr<const MemoryTableContent> content, const std::string& path,
               const Structure& structure);

  bool read();
  const std::string& path() const { return path_; }
  std::size_t row_count() const { return static_cast<std::size_t>(content_->table().rows); }
  std::int64_t row_number(std::size_t i) const {
    return content_->table().first_row + static_cast<std::int64_t>(i);
  }
  std::string_view text(VisitColumn column, std::size_t i) const {
    return cell_text(*columns_[column], i, buffers_[column]);
  }
  bool same_patient(std::size_t i) const {
    if (last_ == kNone || !has_value(*columns_[kPatient], i)) return false;
    const MemoryColumn& column = *columns_[kPatient];
    if (!column.codes.empty()) return column.codes[i] == column.codes[last_] && !patient_.empty();
    if (!column.whole_numbers.empty()) return column.whole_numbers[i] == column.whole_numbers[last_];
    return text(kPatient, i) == patient_ && !patient_.empty();
  }
  bool begin(std::size_t i);
  std::optional<std::int64_t> step(std::size_t i) const {
    const MemoryColumn& column = *columns_[kStep];
    if (!column.whole_numbers.empty() && has_value(column, i)) return column.whole_numbers[i];
    return whole_number(text(kStep, i));
  }
  bool has_outcome(std::size_t i) const {
    const MemoryColumn& column = *columns_[kObservation];
    if (column.codes.empty()) return !text(kObservation, i).empty();
    return has_value(column, i) && observation_of_[static_cast<std::size_t>(column.codes[i])] != kNoText;
  }
  int action(std::size_t i) const { return place_of(kAction, i, actions_, action_of_); }
  int observation(std::size_t i) const { return place_of(kObservation, i, observations_, observation_of_); }
  std::string_view factor_text(std::size_t factor, std::size_t i) const {
    return cell_text(*factors_[factor], i, factor_buffer_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr int kNoText = -2;

  static std::vector<int> places(const MemoryColumn& column, const NameIndex& names);
  int place_of(VisitColumn which, std::size_t i, const NameIndex& names,
               const std::vector<int>& by_code) const {
    const MemoryColumn& column = *columns_[which];
    if (column.codes.empty()) return names.find(text(which, i));
    return has_value(column, i) ? by_code[static_cast<std::size_t>(column.codes[i])] : -1;
  }

  std::shared_ptr<const MemoryTableContent> content_;
  std::string path_;
  NameIndex actions_;
  NameIndex observations_;
  std::array<const MemoryColumn*, 4> columns_{};
  std::vector<const MemoryColumn*> factors_;
  std::vector<int> action_of_, observation_of_;  // [category]
  std::vector<bool> met_;                        // [category of patients]
  PatientIds ids_;                               // where patients are not coded
  std::size_t last_ = kNone;                     // a row of the patient of the last begin()
  std::string patient_;
  bool was_read_ = false;
  mutable std::array<CellBuffer, 4> buffers_;
  mutable CellBuffer factor_buffer_;
};

}  // namespace interpole::data
