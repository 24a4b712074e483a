// One column of an Arrow stream, batch after batch, as a column in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow_cells.hpp"
#include "arrow_stream.hpp"
#include "interpole/data/sources/column_memory.hpp"

namespace interpole::python {

class ArrowColumn {
 public:
  // Throws an input error that names the column for a kind that is not read.
  ArrowColumn(const std::string& table, const ArrowSchema& schema, data::TableMemory& memory);

  // Whether the only batch of a stream is used where it lies; then it must be kept, and not added.
  bool use_in_place(const ArrowArray& array);
  void add(const ArrowArray& array);
  MemoryColumn finish();

 private:
  enum class Kind { kText, kCategories, kWhole, kLarge, kNumber, kTruth, kDate, kMoment, kDecimal, kNothing };

  Kind kind_of(const ArrowSchema& schema);
  [[noreturn]] void refuse(const std::string& what) const;
  void require_buffers(const ArrowArray& array) const;
  void add_cell(const ArrowArray& array, std::int64_t row);
  void add_date(const ArrowArray& array, std::int64_t row);
  void require_known_day(std::int64_t ticks, const Clock& clock) const;
  void add_categories(const ArrowArray& array);
  void add_nothing();
  void add_text(std::string_view text) { codes_.push_back(known_.code_of(text)); }
  void turn_whole_to_text();
  void turn_moments_to_text();

  const std::string& table_;
  data::TableMemory& memory_;
  MemoryColumn column_;
  std::string format_;        // of the values
  std::string index_format_;  // of categories' places
  Kind kind_;
  Clock clock_;        // of moments
  int scale_ = 0;      // of decimals
  bool held_ = false;  // used where it lies
  data::TextCodes known_;
  std::vector<std::int32_t> codes_;
  std::vector<std::int64_t> whole_;  // whole numbers while all rows have one; moments
  std::vector<double> numbers_;
};

}  // namespace interpole::python
