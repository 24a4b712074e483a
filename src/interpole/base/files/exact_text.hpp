// Numbers as text that gives back the same bits: lines of a name and its values, real numbers in hexadecimal.
// For files that this program writes for itself (checkpoints); people are not meant to edit them.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::base {

class ExactWriter {
 public:
  // Begins a line; its values follow.
  ExactWriter& line(std::string_view name);
  ExactWriter& add(std::int64_t value);
  ExactWriter& add(double value);                       // any, also infinite and NaN
  ExactWriter& add(const std::vector<double>& values);  // preceded by how many
  std::string take();

 private:
  std::string text_;
};

// Reads what ExactWriter wrote, line by line and value by value. Whatever is not as expected throws an input
// error that begins with `place`.
class ExactReader {
 public:
  ExactReader(std::string_view text, std::string place) : rest_(text), place_(std::move(place)) {}

  // Goes to the next line, which must have this name; all of the line before must have been read.
  ExactReader& line(std::string_view name);
  std::int64_t integer();
  double number();
  std::vector<double> numbers();
  // Every line has been read.
  bool ended() const { return rest_.empty() && line_.empty(); }
  void expect_end();

 private:
  void expect_end_of_line() const;
  std::string_view word();
  [[noreturn]] void fail(std::string_view what) const;

  std::string_view rest_;
  std::string_view line_;
  std::string name_;
  std::string place_;
};

}  // namespace interpole::base
