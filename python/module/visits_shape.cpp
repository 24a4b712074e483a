#include "visits_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::python {
namespace {

const MemoryColumn* find_column(const MemoryTable& table, std::string_view name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const MemoryColumn& column) { return column.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

const MemoryColumn& required_column(const MemoryTable& table, std::string_view name) {
  if (const MemoryColumn* found = find_column(table, name)) return *found;
  std::string names;
  for (const MemoryColumn& column : table.columns) names += (names.empty() ? "" : ", ") + column.name;
  throw input_error(fmt::format("column \"{}\" is missing; the columns are {}", name, names));
}

// Whether a row has the text of the row before it.
bool same_as_before(const MemoryColumn& column, std::size_t row) {
  if (!column.codes.empty()) return column.codes[row] == column.codes[row - 1];
  if (!column.whole_numbers.empty()) return column.whole_numbers[row] == column.whole_numbers[row - 1];
  data::CellBuffer one;
  data::CellBuffer other;
  return data::cell_text(column, row, one) == data::cell_text(column, row - 1, other);
}

}  // namespace

void number_rows(MemoryTable& table, data::TableMemory& memory) {
  const MemoryColumn* patients = find_column(table, "patient");
  if (patients == nullptr || find_column(table, "action") == nullptr ||
      find_column(table, "step") != nullptr) {
    return;
  }
  std::vector<std::int64_t> steps(static_cast<std::size_t>(table.rows), 1);
  for (std::size_t row = 1; row < steps.size(); ++row) {
    if (same_as_before(*patients, row)) steps[row] = steps[row - 1] + 1;
  }
  MemoryColumn column;
  column.name = "step";
  data::set_whole_numbers(column, std::move(steps), memory);
  table.columns.push_back(std::move(column));
}

VisitsOutline outline_of(const MemoryTable& table) {
  const MemoryColumn& patients = required_column(table, "patient");
  const MemoryColumn& actions = required_column(table, "action");
  const MemoryColumn& observations = required_column(table, "observation");
  struct Found {
    bool goes_on = false;
    bool yields = false;
  };
  std::map<std::string, Found, std::less<>> of_action;
  std::set<std::string, std::less<>> outcomes;
  data::CellBuffer buffer;
  bool any_goes_on = false;
  const auto rows = static_cast<std::size_t>(table.rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto action = data::cell_text(actions, row, buffer);
    if (action.empty()) {
      throw input_error(
          fmt::format("row {}: column action: the cell is empty; every row must name its action", row));
    }
    auto found = of_action.find(action);
    if (found == of_action.end()) found = of_action.emplace(std::string(action), Found{}).first;
    const auto seen = data::cell_text(observations, row, buffer);
    if (!seen.empty()) {
      found->second.yields = true;
      if (!outcomes.contains(seen)) outcomes.emplace(seen);
    }
    if (row + 1 < rows && same_as_before(patients, row + 1)) found->second.goes_on = any_goes_on = true;
  }
  VisitsOutline outline;
  for (const auto& [name, found] : of_action) {
    outline.actions.emplace_back(name, any_goes_on && !found.goes_on && !found.yields);
  }
  outline.observations.assign(outcomes.begin(), outcomes.end());
  return outline;
}

}  // namespace interpole::python
