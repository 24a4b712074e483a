// Single cells of Arrow arrays. `row` counts from the array's own offset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow_stream.hpp"

namespace interpole::python {

bool is_valid(const ArrowArray& array, std::int64_t row);
bool truth_at(const ArrowArray& array, std::int64_t row);

template <class T>
T value_at(const ArrowArray& array, std::int64_t row) {
  return static_cast<const T*>(array.buffers[1])[array.offset + row];
}

// By the letter of a format, cCsSiIl; not L, whose numbers may be too large.
std::int64_t whole_at(char format, const ArrowArray& array, std::int64_t row);

// By the format "u" (ends of 32 bits), "U" (of 64) or "vu" (views).
std::string_view text_at(std::string_view format, const ArrowArray& array, std::int64_t row);

// A number of 32 bits as it is written: 0.1, not 0.10000000149011612.
double single_at(const ArrowArray& array, std::int64_t row);

// A decimal number of 128 bits with that many digits behind the point, as it is written.
std::string decimal_at(const ArrowArray& array, std::int64_t row, int scale);

// A moment since 1970 as "2020-01-31 08:15:00", with a fraction where there is one.
struct Clock {
  std::int64_t per_second = 1;
  bool has_zone = false;  // then it is UTC, and says so
};
// A clock for the formats tss:, tsm:, tsu:, tsn: with or without a zone; false for others.
bool read_clock(std::string_view format, Clock& clock);
std::string moment_text(std::int64_t ticks, const Clock& clock, bool with_time);
bool is_midnight(std::int64_t ticks, const Clock& clock);

// A day since 1970 as "2020-01-31".
std::string date_text(std::int64_t days);

}  // namespace interpole::python
