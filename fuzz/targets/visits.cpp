#include "interpole/data/records/visits.hpp"

#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "clinic.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

constexpr std::string_view kHeader = "patient,step,action,observation\n";

using Row = std::tuple<std::string, std::int64_t, int, int>;  // patient, step, action, outcome
using Rows = std::vector<Row>;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

int place_of(const std::string& name, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

// A table so simple that there is no doubt what it says: letters, digits, commas and line ends.
bool is_simple(std::string_view text) {
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!letter && c != ',' && c != '\n') return false;
  }
  return text.ends_with('\n') && text.find("\n\n") == std::string_view::npos && !text.starts_with('\n');
}

// By the words of docs/visits-table.md. None: it cannot be records.
std::optional<Rows> rows_of(std::string_view text, const Structure& structure) {
  Rows rows;
  std::set<std::string> finished;
  for (const std::string& line : split(text.substr(0, text.size() - 1), '\n')) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != 4 || cells[0].empty()) return {};
    std::int64_t step = 0;
    const char* const end = cells[1].data() + cells[1].size();
    if (cells[1].empty() || std::from_chars(cells[1].data(), end, step) != std::from_chars_result{end, {}})
      return {};
    const int action = place_of(cells[2], structure.actions);
    const int outcome = cells[3].empty() ? kMissing : place_of(cells[3], structure.observations);
    if (action < 0 || (outcome < 0 && !cells[3].empty())) return {};
    if (outcome >= 0 && structure.is_terminal(action)) return {};
    if (!rows.empty() && std::get<0>(rows.back()) == cells[0]) {
      if (step <= std::get<1>(rows.back()) || structure.is_terminal(std::get<2>(rows.back()))) return {};
    } else {
      if (finished.contains(cells[0])) return {};
      if (!rows.empty()) finished.insert(std::get<0>(rows.back()));
      if (finished.contains(cells[0])) return {};
    }
    rows.emplace_back(cells[0], step, action, outcome);
  }
  return rows;
}

}  // namespace

// The library's reader beside the one above, on rows below a right header.
void visits(std::string_view input) {
  const Structure& structure = clinic().structure;
  const InputFile file(std::string(kHeader) + std::string(input), "in.csv");
  Rows found;
  const bool good = taken(
      [&] {
        data::for_each_record(file.path(), structure, [&](const data::RecordView& record) {
          for (std::size_t i = 0; i < record.steps.size(); ++i) {
            found.emplace_back(record.patient, record.numbers[i], record.steps[i].action,
                               record.steps[i].observation);
          }
        });
      },
      file.path());
  if (!is_simple(input)) return;
  const std::optional<Rows> expected = rows_of(input, structure);
  require(good == expected.has_value(), "both readers take the table, or neither");
  if (good) require(found == *expected, "both readers find the same rows");
}

}  // namespace interpole::fuzz
