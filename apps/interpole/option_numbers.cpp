#include "option_numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace interpole::cli {
namespace {

template <class Number>
bool is_number(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Whole>
std::string complaint_about_whole(const std::string& text) {
  Whole number = 0;
  if (is_number(text, number)) return {};
  return fmt::format("{} is not a whole number from {} to {}", text, std::numeric_limits<Whole>::min(),
                     std::numeric_limits<Whole>::max());
}

std::string complaint_about_real(const std::string& text) {
  double number = 0.0;
  if (is_number(text, number) && std::isfinite(number)) return {};
  return text + " is not a finite number";
}

CLI::Validator silent(std::string (*complaint)(const std::string&)) {
  return {[complaint](std::string& text) { return complaint(text); }, ""};  // no word in --help
}

}  // namespace

void check_numbers(CLI::App& program) {
  for (CLI::Option* option : program.get_options()) {
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT")) option->check(silent(&complaint_about_whole<std::uint64_t>));
    if (type.starts_with("INT")) option->check(silent(&complaint_about_whole<std::int64_t>));
    if (type.starts_with("FLOAT")) option->check(silent(&complaint_about_real));
  }
  for (CLI::App* verb : program.get_subcommands({})) check_numbers(*verb);
}

}  // namespace interpole::cli
