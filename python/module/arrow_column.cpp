#include "arrow_column.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "interpole/base/text/printable.hpp"
#include "interpole/error.hpp"

namespace interpole::python {
namespace {

constexpr std::int64_t kNoMoment = std::numeric_limits<std::int64_t>::min();

constexpr std::int64_t kSecondsInDay = 86400;
constexpr std::int64_t kYear0 = -719528 * kSecondsInDay;  // since 1970
constexpr std::int64_t kYear10000 = 2932897 * kSecondsInDay;

bool is_text(std::string_view format) {
  return format == "u" || format == "U" || format == "vu";
}

bool is_whole(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIl").find(format[0]) != std::string_view::npos;
}

constexpr int kMostDigits = 38;  // of 128 bits

// d:precision,scale or with the bits behind; −1 where these are not 128, or the scale is none of theirs.
int decimal_scale(std::string_view format) {
  const std::size_t comma = format.find(',');
  if (!format.starts_with("d:") || comma == std::string_view::npos) return -1;
  int scale = -1;
  const auto [end, problem] =
      std::from_chars(format.data() + comma + 1, format.data() + format.size(), scale);
  const std::string_view bits(end, static_cast<std::size_t>(format.data() + format.size() - end));
  const bool known = problem == std::errc() && (bits.empty() || bits == ",128");
  return known && scale <= kMostDigits ? scale : -1;
}

}  // namespace

ArrowColumn::ArrowColumn(const std::string& table, const ArrowSchema& schema, data::TableMemory& memory)
    : table_(table), memory_(memory) {
  column_.name = schema.name == nullptr ? "" : schema.name;
  if (schema.format == nullptr) refuse("no Arrow kind");
  kind_ = kind_of(schema);
}

ArrowColumn::Kind ArrowColumn::kind_of(const ArrowSchema& schema) {
  format_ = schema.format;
  if (schema.dictionary != nullptr) {
    index_format_ = format_;
    format_ = schema.dictionary->format;
    if (!is_text(format_)) refuse("categories that are not texts");
    if (!is_whole(index_format_)) refuse(fmt::format("categories by \"{}\"", index_format_));
    return Kind::kCategories;
  }
  if (is_text(format_)) return Kind::kText;
  if (is_whole(format_)) return Kind::kWhole;
  if (format_ == "L") return Kind::kLarge;
  if (format_ == "f" || format_ == "g") return Kind::kNumber;
  if (format_ == "b") return Kind::kTruth;
  if (format_ == "tdD" || format_ == "tdm") return Kind::kDate;
  if (format_ == "n") return Kind::kNothing;
  if (read_clock(format_, clock_)) return Kind::kMoment;
  scale_ = decimal_scale(format_);
  if (scale_ >= 0) return Kind::kDecimal;
  refuse(fmt::format("the Arrow kind \"{}\"", format_));
}

void ArrowColumn::refuse(const std::string& what) const {
  throw input_error(fmt::format(
      "{}: column {} has {}, which is not read; turn it into texts, numbers or categories of texts, "
      "or leave it out",
      table_, base::printable(column_.name), base::printable(what)));
}

void ArrowColumn::require_buffers(const ArrowArray& array) const {
  std::int64_t needed = format_ == "u" || format_ == "U" ? 3 : 2;
  if (kind_ == Kind::kNothing) needed = 0;
  if (kind_ == Kind::kCategories) needed = 2;
  bool there = array.n_buffers >= needed && (needed == 0 || array.buffers != nullptr);
  // The first says which rows have a value; that of the texts themselves may be missing where all are empty.
  if (there && needed > 1 && array.length > 0) there = array.buffers[1] != nullptr;
  if (there) return;
  throw input_error(fmt::format("{}: column {}: a batch lacks its values; the stream is broken", table_,
                                base::printable(column_.name)));
}

bool ArrowColumn::use_in_place(const ArrowArray& array) {
  require_buffers(array);
  if (kind_ == Kind::kCategories || array.length == 0) return false;
  const auto rows = static_cast<std::size_t>(array.length);
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
  if (array.null_count != 0 && array.buffers[0] != nullptr) {
    column_.valid = static_cast<const std::uint8_t*>(array.buffers[0]);
    column_.valid_offset = array.offset;
  }
  held_ = true;
  return true;
}

void ArrowColumn::add(const ArrowArray& array) {
  require_buffers(array);
  if (kind_ == Kind::kCategories) return add_categories(array);
  for (std::int64_t row = 0; row < array.length; ++row) {
    if (kind_ == Kind::kNothing || !is_valid(array, row)) {
      add_nothing();
    } else {
      add_cell(array, row);
    }
  }
}

void ArrowColumn::add_cell(const ArrowArray& array, std::int64_t row) {
  switch (kind_) {
    case Kind::kText:
      return add_text(text_at(format_, array, row));
    case Kind::kWhole:
      if (codes_.empty()) return whole_.push_back(whole_at(format_[0], array, row));
      return add_text(fmt::format("{}", whole_at(format_[0], array, row)));
    case Kind::kLarge:
      return add_text(fmt::format("{}", value_at<std::uint64_t>(array, row)));
    case Kind::kNumber:
      return numbers_.push_back(format_ == "f" ? single_at(array, row) : value_at<double>(array, row));
    case Kind::kTruth:
      return add_text(truth_at(array, row) ? "True" : "False");
    case Kind::kDate:
      return add_date(array, row);
    case Kind::kMoment:
      require_known_day(value_at<std::int64_t>(array, row), clock_);
      return whole_.push_back(value_at<std::int64_t>(array, row));
    case Kind::kDecimal:
      return add_text(decimal_at(array, row, scale_));
    case Kind::kCategories:
    case Kind::kNothing:
      return;
  }
}

void ArrowColumn::add_date(const ArrowArray& array, std::int64_t row) {
  if (format_ == "tdD") {
    const std::int32_t days = value_at<std::int32_t>(array, row);
    require_known_day(std::int64_t{days} * kSecondsInDay, {1});
    return add_text(date_text(days));
  }
  const std::int64_t moment = value_at<std::int64_t>(array, row);
  require_known_day(moment, {1000});
  add_text(moment_text(moment, {1000}, false));
}

// Calendars of other years would be written as nobody reads them.
void ArrowColumn::require_known_day(std::int64_t ticks, const Clock& clock) const {
  const std::int64_t seconds = ticks / clock.per_second;
  if (ticks == kNoMoment || (seconds >= kYear0 && seconds < kYear10000)) return;
  refuse("a date outside the years 0 to 9999");
}

void ArrowColumn::add_categories(const ArrowArray& array) {
  if (array.dictionary == nullptr) {
    throw input_error(fmt::format("{}: column {}: a batch has no categories; the stream is broken", table_,
                                  base::printable(column_.name)));
  }
  std::vector<std::int32_t> code_of;
  for (std::int64_t i = 0; i < array.dictionary->length; ++i) {
    code_of.push_back(is_valid(*array.dictionary, i) ? known_.code_of(text_at(format_, *array.dictionary, i))
                                                     : -1);
  }
  for (std::int64_t row = 0; row < array.length; ++row) {
    if (!is_valid(array, row)) {
      codes_.push_back(-1);
      continue;
    }
    const std::int64_t index = whole_at(index_format_[0], array, row);
    if (index < 0 || index >= static_cast<std::int64_t>(code_of.size())) {
      throw input_error(fmt::format("{}: row {}: column {}: category {} of {}; the stream is broken", table_,
                                    codes_.size(), base::printable(column_.name), index, code_of.size()));
    }
    codes_.push_back(code_of[static_cast<std::size_t>(index)]);
  }
}

void ArrowColumn::add_nothing() {
  if (kind_ == Kind::kNumber) return numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  if (kind_ == Kind::kMoment) return whole_.push_back(kNoMoment);
  if (kind_ == Kind::kWhole) turn_whole_to_text();
  codes_.push_back(-1);
}

// Whole numbers have no way to say "none": those before the first gap become texts, as those after it will.
void ArrowColumn::turn_whole_to_text() {
  for (const std::int64_t number : whole_) add_text(fmt::format("{}", number));
  whole_.clear();
}

// As tables are written: days alone where all are at midnight.
void ArrowColumn::turn_moments_to_text() {
  bool with_time = clock_.has_zone;
  for (const std::int64_t moment : whole_) with_time |= moment != kNoMoment && !is_midnight(moment, clock_);
  for (const std::int64_t moment : whole_) {
    if (moment == kNoMoment) {
      codes_.push_back(-1);
    } else {
      add_text(moment_text(moment, clock_, with_time));
    }
  }
}

MemoryColumn ArrowColumn::finish() {
  if (held_) return std::move(column_);
  if (kind_ == Kind::kMoment) turn_moments_to_text();
  if (kind_ == Kind::kNumber) {
    data::set_numbers(column_, std::move(numbers_), memory_);
  } else if (kind_ == Kind::kWhole && codes_.empty()) {
    data::set_whole_numbers(column_, std::move(whole_), memory_);
  } else {
    data::set_codes(column_, std::move(codes_), std::move(known_.texts()), memory_);
  }
  return std::move(column_);
}

}  // namespace interpole::python
