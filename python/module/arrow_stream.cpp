#include "arrow_stream.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "interpole/error.hpp"
#include "tables.hpp"

namespace interpole::python {
namespace {

// What must be released once, on whatever way out.
template <class Structure>
class Released {
 public:
  Released() = default;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  Structure value{};
};
using Batch = Released<ArrowArray>;

class Stream {
 public:
  Stream(const std::string& name, ArrowArrayStream& stream) : name_(name), stream_(stream) {
    if (stream.release == nullptr) {
      throw usage_error(fmt::format("{}: the stream was read before; make a new one", name));
    }
  }
  ~Stream() { stream_.release(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void schema(ArrowSchema& schema) { check(stream_.get_schema(&stream_, &schema)); }
  // False at the end.
  bool next(ArrowArray& batch) {
    check(stream_.get_next(&stream_, &batch));
    return batch.release != nullptr;
  }

 private:
  void check(int problem) {
    if (problem == 0) return;
    const char* words = stream_.get_last_error(&stream_);
    throw input_error(fmt::format("{}: the stream cannot be read: {}", name_,
                                  words == nullptr ? std::strerror(problem) : words));
  }

  const std::string& name_;
  ArrowArrayStream& stream_;
};

bool is_valid(const ArrowArray& array, std::int64_t row) {
  if (array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  const std::int64_t bit = row + array.offset;
  return (static_cast<const std::uint8_t*>(array.buffers[0])[bit / 8] >> (bit % 8) & 1) != 0;
}

template <class T>
T value_at(const ArrowArray& array, std::int64_t row) {
  return static_cast<const T*>(array.buffers[1])[array.offset + row];
}

template <class Ends>
std::string_view text_at(const ArrowArray& array, std::int64_t row) {
  const auto* ends = static_cast<const Ends*>(array.buffers[1]) + array.offset + row;
  return {static_cast<const char*>(array.buffers[2]) + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
}

// A "view" of a text: its length, then the text itself if it is short, or where it lies.
std::string_view viewed_text_at(const ArrowArray& array, std::int64_t row) {
  const auto* view = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + row);
  std::int32_t numbers[4];
  std::memcpy(numbers, view, sizeof numbers);
  const auto length = static_cast<std::size_t>(numbers[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char*>(array.buffers[2 + numbers[2]]) + numbers[3], length};
}

// A day since 1970 as text.
std::string date_text(std::int64_t days) {
  const auto date = std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(days)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

bool is_whole(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos;
}

std::int64_t whole_at(char format, const ArrowArray& array, std::int64_t row) {
  switch (format) {
    case 'c':
      return value_at<std::int8_t>(array, row);
    case 'C':
      return value_at<std::uint8_t>(array, row);
    case 's':
      return value_at<std::int16_t>(array, row);
    case 'S':
      return value_at<std::uint16_t>(array, row);
    case 'i':
      return value_at<std::int32_t>(array, row);
    case 'I':
      return value_at<std::uint32_t>(array, row);
    default:
      return value_at<std::int64_t>(array, row);
  }
}

// One column, batch after batch.
class ColumnReader {
 public:
  ColumnReader(const std::string& table, const ArrowSchema& schema, TableMemory& memory)
      : table_(table), format_(schema.format), memory_(memory) {
    column_.name = schema.name == nullptr ? "" : schema.name;
    if (schema.dictionary != nullptr) {
      index_format_ = format_;
      format_ = schema.dictionary->format;
      if (!is_text()) refuse("categories that are not texts");
      if (!is_whole(index_format_)) refuse(fmt::format("categories by \"{}\"", index_format_));
    }
    const bool known = is_text() || is_whole(format_) || format_ == "f" || format_ == "g" || format_ == "b" ||
                       format_ == "n" || format_ == "tdD";
    if (!known) refuse(fmt::format("the Arrow kind \"{}\"", format_));
  }

  void add(const ArrowArray& array) {
    if (!index_format_.empty()) return add_categories(array);
    if (is_text()) return add_texts(array);
    for (std::int64_t row = 0; row < array.length; ++row) {
      if (format_ == "n" || !is_valid(array, row)) {
        add_nothing();
      } else if (is_whole(format_)) {
        add_whole(whole_at(format_[0], array, row));
      } else if (format_ == "tdD") {
        codes_.push_back(known_.code_of(date_text(value_at<std::int32_t>(array, row))));
      } else if (format_ == "b") {
        const std::int64_t bit = row + array.offset;
        const bool yes = (static_cast<const std::uint8_t*>(array.buffers[1])[bit / 8] >> (bit % 8) & 1) != 0;
        codes_.push_back(known_.code_of(yes ? "True" : "False"));
      } else {
        numbers_.push_back(format_ == "f" ? value_at<float>(array, row) : value_at<double>(array, row));
      }
    }
  }

  // `only`: the one batch that the stream had, to be used where it lies; null: there were several.
  MemoryColumn finish(const ArrowArray* only) {
    if (only != nullptr && use_in_place(*only)) return column_;
    if (is_whole(format_) && index_format_.empty() && all_whole_) {
      column_.whole_numbers =
          *memory_.whole_numbers.emplace_back(std::make_unique<std::vector<std::int64_t>>(std::move(whole_)));
    } else if (is_whole(format_) && index_format_.empty()) {
      // With gaps: texts, as whole numbers have no way to say "none".
      set_codes(column_, std::move(codes_), std::move(known_.texts()), memory_);
    } else if (format_ == "f" || format_ == "g") {
      column_.numbers =
          *memory_.numbers.emplace_back(std::make_unique<std::vector<double>>(std::move(numbers_)));
    } else {
      set_codes(column_, std::move(codes_), std::move(known_.texts()), memory_);
    }
    return column_;
  }

  // Whether the column of an only batch is used where it lies, and need not be added.
  bool use_in_place(const ArrowArray& array) {
    if (!index_format_.empty() || array.length == 0) return false;
    const auto rows = static_cast<std::size_t>(array.length);
    const bool gaps = array.null_count != 0 && array.buffers[0] != nullptr;
    if (format_ == "u") {
      column_.texts.bytes = static_cast<const char*>(array.buffers[2]);
      column_.texts.ends = {static_cast<const std::int32_t*>(array.buffers[1]) + array.offset, rows + 1};
    } else if (format_ == "U") {
      column_.texts.bytes = static_cast<const char*>(array.buffers[2]);
      column_.texts.long_ends = {static_cast<const std::int64_t*>(array.buffers[1]) + array.offset, rows + 1};
    } else if (format_ == "l") {
      column_.whole_numbers = {static_cast<const std::int64_t*>(array.buffers[1]) + array.offset, rows};
    } else if (format_ == "g") {
      column_.numbers = {static_cast<const double*>(array.buffers[1]) + array.offset, rows};
    } else {
      return false;
    }
    if (gaps) {
      column_.valid = static_cast<const std::uint8_t*>(array.buffers[0]);
      column_.valid_offset = array.offset;
    }
    return true;
  }

 private:
  bool is_text() const { return format_ == "u" || format_ == "U" || format_ == "vu"; }

  [[noreturn]] void refuse(const std::string& what) const {
    throw input_error(fmt::format(
        "{}: column {} has {}, which is not read; turn it into texts, numbers or categories of texts", table_,
        column_.name, what));
  }

  std::string_view text(const ArrowArray& array, std::int64_t row) const {
    if (format_ == "vu") return viewed_text_at(array, row);
    return format_ == "u" ? text_at<std::int32_t>(array, row) : text_at<std::int64_t>(array, row);
  }

  void add_texts(const ArrowArray& array) {
    for (std::int64_t row = 0; row < array.length; ++row) {
      codes_.push_back(is_valid(array, row) ? known_.code_of(text(array, row)) : -1);
    }
  }

  void add_categories(const ArrowArray& array) {
    std::vector<std::int32_t> code_of;
    for (std::int64_t i = 0; i < array.dictionary->length; ++i) {
      code_of.push_back(is_valid(*array.dictionary, i) ? known_.code_of(text(*array.dictionary, i)) : -1);
    }
    for (std::int64_t row = 0; row < array.length; ++row) {
      const std::int64_t index = is_valid(array, row) ? whole_at(index_format_[0], array, row) : -1;
      if (index >= static_cast<std::int64_t>(code_of.size())) {
        throw input_error(fmt::format("{}: row {}: column {}: category {} of {}; the stream is broken",
                                      table_, codes_.size(), column_.name, index, code_of.size()));
      }
      codes_.push_back(index < 0 ? -1 : code_of[static_cast<std::size_t>(index)]);
    }
  }

  void add_nothing() {
    if (is_whole(format_)) {
      if (all_whole_) {
        for (const std::int64_t number : whole_) codes_.push_back(known_.code_of(fmt::format("{}", number)));
      }
      all_whole_ = false;
    }
    if (format_ == "f" || format_ == "g") {
      numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
    } else {
      codes_.push_back(-1);
    }
  }

  void add_whole(std::int64_t number) {
    if (all_whole_) {
      whole_.push_back(number);
    } else {
      codes_.push_back(known_.code_of(fmt::format("{}", number)));
    }
  }

  const std::string& table_;
  std::string format_;        // of the values
  std::string index_format_;  // of categories' places; empty: the column has none
  TableMemory& memory_;
  MemoryColumn column_;
  TextCodes known_;
  std::vector<std::int32_t> codes_;
  std::vector<std::int64_t> whole_;
  std::vector<double> numbers_;
  bool all_whole_ = true;  // no row of whole numbers is without one so far
};

void require_columns(const std::string& name, const ArrowSchema& schema, const ArrowArray& batch) {
  if (batch.n_children != schema.n_children || batch.offset != 0) {
    throw input_error(
        fmt::format("{}: a batch of the stream has {} columns, its schema {}; the stream is broken", name,
                    batch.n_children, schema.n_children));
  }
}

}  // namespace

MemoryTable read_arrow_stream(const std::string& name, ArrowArrayStream& source) {
  Stream stream(name, source);
  Released<ArrowSchema> schema;
  stream.schema(schema.value);
  if (std::string_view(schema.value.format) != "+s") {
    throw input_error(fmt::format("{}: the stream holds \"{}\", not a table (\"+s\"); make a table of it",
                                  name, schema.value.format));
  }
  std::vector<std::shared_ptr<Batch>> batches;
  for (;;) {
    auto batch = std::make_shared<Batch>();
    if (!stream.next(batch->value)) break;
    require_columns(name, schema.value, batch->value);
    if (batch->value.length > 0) batches.push_back(std::move(batch));
  }
  MemoryTable table;
  auto memory = std::make_shared<TableMemory>();
  for (const auto& batch : batches) table.rows += batch->value.length;
  for (std::int64_t i = 0; i < schema.value.n_children; ++i) {
    ColumnReader reader(name, *schema.value.children[i], *memory);
    const ArrowArray* only = batches.size() == 1 ? batches[0]->value.children[i] : nullptr;
    if (only == nullptr || !reader.use_in_place(*only)) {
      for (const auto& batch : batches) reader.add(*batch->value.children[i]);
    }
    table.columns.push_back(reader.finish(only));
  }
  if (batches.size() == 1) memory->others.push_back(batches[0]);
  table.owner = std::move(memory);
  return table;
}

}  // namespace interpole::python
