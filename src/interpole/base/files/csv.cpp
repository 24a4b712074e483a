#include "interpole/base/files/csv.hpp"

#include <charconv>

namespace interpole::base {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

bool begins_formula(std::string_view text) {
  if (text.empty()) return false;
  if (text[0] == '\t' || text[0] == '\r') return true;
  return std::string_view("=+-@").find(text[0]) != std::string_view::npos && text.size() > 1 &&
         !is_number(text);
}

}  // namespace

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string shown_csv_cell(std::string_view text) {
  return csv_cell(begins_formula(text) ? "'" + std::string(text) : std::string(text));
}

}  // namespace interpole::base
