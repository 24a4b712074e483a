#include "arrow_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>

namespace interpole::python {
namespace {

constexpr std::int64_t kSecondsInDay = 86400;

__extension__ using Wide = __int128;
__extension__ using WideCount = unsigned __int128;

bool bit_at(const void* bits, std::int64_t place) {
  return (static_cast<const std::uint8_t*>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

template <class Ends>
std::string_view plain_text_at(const ArrowArray& array, std::int64_t row) {
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

// Towards the past, as clocks before 1970 need it.
std::int64_t floor_of(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

}  // namespace

bool is_valid(const ArrowArray& array, std::int64_t row) {
  if (array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  return bit_at(array.buffers[0], array.offset + row);
}

bool truth_at(const ArrowArray& array, std::int64_t row) {
  return bit_at(array.buffers[1], array.offset + row);
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

std::string_view text_at(std::string_view format, const ArrowArray& array, std::int64_t row) {
  if (format == "vu") return viewed_text_at(array, row);
  return format == "u" ? plain_text_at<std::int32_t>(array, row) : plain_text_at<std::int64_t>(array, row);
}

double single_at(const ArrowArray& array, std::int64_t row) {
  char written[32];
  const auto [end, problem] =
      std::to_chars(std::begin(written), std::end(written), value_at<float>(array, row));
  double number = 0.0;
  std::from_chars(std::begin(written), end, number);
  return number;
}

std::string decimal_at(const ArrowArray& array, std::int64_t row, int scale) {
  Wide number = 0;
  std::memcpy(&number, static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + row), sizeof number);
  const bool negative = number < 0;
  auto left = negative ? -static_cast<WideCount>(number) : static_cast<WideCount>(number);
  std::string digits;
  while (left != 0 || static_cast<int>(digits.size()) <= scale) {
    digits += static_cast<char>('0' + static_cast<int>(left % 10));
    left /= 10;
  }
  if (scale > 0) digits.insert(static_cast<std::size_t>(scale), 1, '.');
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

bool read_clock(std::string_view format, Clock& clock) {
  if (format.size() < 4 || !format.starts_with("ts") || format[3] != ':') return false;
  constexpr std::string_view kUnits = "smun";
  const std::size_t unit = kUnits.find(format[2]);
  if (unit == std::string_view::npos) return false;
  constexpr std::int64_t kPerSecond[] = {1, 1000, 1000000, 1000000000};
  clock = {kPerSecond[unit], format.size() > 4};
  return true;
}

bool is_midnight(std::int64_t ticks, const Clock& clock) {
  return ticks % (kSecondsInDay * clock.per_second) == 0;
}

std::string moment_text(std::int64_t ticks, const Clock& clock, bool with_time) {
  const std::int64_t seconds = floor_of(ticks, clock.per_second);
  const std::int64_t day = floor_of(seconds, kSecondsInDay);
  std::string text = date_text(day);
  if (with_time) {
    const std::int64_t second = seconds - day * kSecondsInDay;
    text += fmt::format(" {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    const std::int64_t fraction = ticks - seconds * clock.per_second;
    if (fraction != 0) {
      const auto width = static_cast<int>(fmt::formatted_size("{}", clock.per_second)) - 1;
      text += fmt::format(".{:0{}}", fraction, width);
    }
  }
  return clock.has_zone ? text + "+00:00" : text;
}

std::string date_text(std::int64_t days) {
  const auto date = std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(days)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace interpole::python
