#include "interpole/base/files/exact_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "interpole/error.hpp"

namespace interpole::base {

ExactWriter& ExactWriter::line(std::string_view name) {
  if (!text_.empty()) text_ += '\n';
  text_ += name;
  return *this;
}

ExactWriter& ExactWriter::add(std::int64_t value) {
  fmt::format_to(std::back_inserter(text_), " {}", value);
  return *this;
}

ExactWriter& ExactWriter::add(double value) {
  if (std::isnan(value)) {
    text_ += " nan";
  } else {
    fmt::format_to(std::back_inserter(text_), " {:a}", value);
  }
  return *this;
}

ExactWriter& ExactWriter::add(const std::vector<double>& values) {
  add(static_cast<std::int64_t>(values.size()));
  for (const double value : values) add(value);
  return *this;
}

std::string ExactWriter::take() {
  if (!text_.empty()) text_ += '\n';
  return std::exchange(text_, {});
}

void ExactReader::fail(std::string_view what) const {
  throw input_error(
      fmt::format("{}: \"{}\" {}; the file was altered or is from another version", place_, name_, what));
}

void ExactReader::expect_end_of_line() const {
  if (!line_.empty()) fail("has something after its values");
}

ExactReader& ExactReader::line(std::string_view name) {
  expect_end_of_line();
  name_ = name;
  const std::size_t end = rest_.find('\n');
  if (end == std::string_view::npos) fail("is missing");
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  if (word() != name) fail("is missing");
  return *this;
}

std::string_view ExactReader::word() {
  const std::size_t end = std::min(line_.find(' '), line_.size());
  const std::string_view found = line_.substr(0, end);
  line_.remove_prefix(std::min(end + 1, line_.size()));
  return found;
}

std::int64_t ExactReader::integer() {
  const std::string_view digits = word();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size())
    fail("has no whole number where one belongs");
  return value;
}

double ExactReader::number() {
  std::string_view digits = word();
  if (digits == "nan") return NAN;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  double value = INFINITY;
  if (digits != "inf") {
    const bool hexadecimal = digits.starts_with("0x") && !digits.starts_with("0x-");
    if (hexadecimal) digits.remove_prefix(2);
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value, std::chars_format::hex);
    if (!hexadecimal || error != std::errc{} || end != last) fail("has no number where one belongs");
  }
  return negative ? -value : value;
}

std::vector<double> ExactReader::numbers() {
  const std::int64_t size = integer();
  // A number takes two characters at least: a wrong count cannot ask for much memory.
  if (size < 0 || static_cast<std::uint64_t>(size) > line_.size()) fail("has fewer numbers than it says");
  std::vector<double> values(static_cast<std::size_t>(size));
  for (double& value : values) value = number();
  return values;
}

void ExactReader::expect_end() {
  expect_end_of_line();
  if (!rest_.empty()) fail("is followed by lines that do not belong there");
}

}  // namespace interpole::base
