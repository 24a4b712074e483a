#include "interpole/data/draft/column_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "interpole/data/draft/column_names.hpp"

namespace interpole::data {
namespace {

bool is_number(const std::string& text) {
  char* end = nullptr;
  return !text.empty() && std::isfinite(std::strtod(text.c_str(), &end)) && *end == '\0';
}

bool same_code(const std::string& x, const std::string& y) {
  return x == y || (is_number(x) && is_number(y) && std::atof(x.c_str()) == std::atof(y.c_str()));
}

std::vector<std::string> texts_of(const std::vector<CellCount>& cells) {
  std::vector<std::string> texts;
  texts.reserve(cells.size());
  for (const CellCount& cell : cells) texts.push_back(cell.text);
  return texts;
}

// Numbers by value, then texts.
void sort_cells(std::vector<std::string>& cells) {
  std::sort(cells.begin(), cells.end(), [](const std::string& x, const std::string& y) {
    const bool numbers = is_number(x) && is_number(y);
    if (numbers && std::atof(x.c_str()) != std::atof(y.c_str())) {
      return std::atof(x.c_str()) < std::atof(y.c_str());
    }
    return std::pair(!is_number(x), x) < std::pair(!is_number(y), y);
  });
}

}  // namespace

std::vector<std::string> shared_missing_codes(const TableProfile& profile) {
  std::map<std::string, int> uses;
  for (const ColumnProfile& column : profile.columns) {
    for (const CellCount& code : column.missing_codes) ++uses[code.text];
  }
  std::vector<std::string> shared;
  for (const auto& use : uses) {
    const std::string& code = use.first;
    const bool meant = std::any_of(profile.columns.begin(), profile.columns.end(), [&](const auto& column) {
      return std::any_of(column.meant_codes.begin(), column.meant_codes.end(),
                         [&](const std::string& text) { return same_code(text, code); });
    });
    if (!is_number(code) || (use.second > 1 && !meant)) shared.push_back(code);
  }
  return shared;
}

std::vector<std::string> own_missing_codes(const ColumnProfile& column,
                                           const std::vector<std::string>& shared) {
  std::vector<std::string> codes;
  for (const CellCount& code : column.missing_codes) {
    if (std::find(shared.begin(), shared.end(), code.text) == shared.end()) codes.push_back(code.text);
  }
  return codes;
}

std::optional<OrderGuess> as_order(const ColumnProfile& column) {
  OrderGuess order;
  order.column = column.name;
  if (column.is_numeric()) return order;
  order.kind = OrderKind::kDate;
  if (column.is_date()) return order;
  order.kind = OrderKind::kCodes;
  order.codes = natural_order(texts_of(column.categories), order.left_out);
  order.rare_codes = column.rare() > 0;
  if (order.codes.size() < 2) return std::nullopt;
  return order;
}

ActionGuess as_action(const ColumnProfile& column, std::int64_t rows,
                      const std::vector<std::string>& shared_missing) {
  ActionGuess action;
  action.column = column.name;
  action.cells = texts_of(column.categories);
  sort_cells(action.cells);
  for (const std::string& cell : action.cells) {
    const bool speaks = !is_number(cell) && cell != "*";
    action.names.push_back(speaks ? cell : fmt::format("{} = {}", column.name, cell));
  }
  action.other_cells = column.rare() > 0 || !own_missing_codes(column, shared_missing).empty();
  action.empty_cells = column.filled < rows;
  return action;
}

ActionGuess as_presence(const ColumnProfile& column) {
  ActionGuess action;
  action.by_presence = true;
  action.column = column.name;
  action.names = {fmt::format("measure {}", column.name), fmt::format("no {}", column.name)};
  return action;
}

std::optional<FactorGuess> as_factor(const ProfiledTable& table, const ColumnProfile& column,
                                     const std::vector<std::string>& shared_missing,
                                     std::size_t most_levels) {
  FactorGuess factor;
  factor.column = column.name;
  factor.missing = own_missing_codes(column, shared_missing);
  factor.filled = column.filled;
  factor.distinct = column.distinct;
  factor.levels = texts_of(column.categories);
  sort_cells(factor.levels);
  const bool plain_levels = std::none_of(
      factor.levels.begin(), factor.levels.end(),
      [](const std::string& l) { return l == "not ordered" || l.find(" | ") != std::string::npos; });
  const bool listed =
      column.distinct >= 2 && column.distinct <= static_cast<std::int64_t>(most_levels) && column.rare() == 0;
  factor.ordered = listed && column.is_numeric() && column.distinct > 2;
  if (listed && plain_levels) return factor;
  if (!column.is_numeric()) return std::nullopt;
  factor.numeric = true;
  factor.quantiles = {0.33, 0.67};
  factor.levels = {"low", "middle", "high"};
  if (table.quantiles_separate(column.name, factor.quantiles)) return factor;
  factor.quantiles = {0.5};
  factor.levels = {"low", "high"};
  if (table.quantiles_separate(column.name, factor.quantiles)) return factor;
  return std::nullopt;
}

std::vector<std::string> yielding_beside(const ProfiledTable& table, const std::string& column,
                                         const ActionGuess& action) {
  if (action.by_presence) {
    return column == action.column ? std::vector<std::string>{action.names[0]} : std::vector<std::string>{};
  }
  const auto counts = table.filled_by(column, action.column, action.cells);
  std::vector<std::string> yielding;
  for (std::size_t a = 0; a < counts.size(); ++a) {
    const auto [rows, filled] = counts[a];
    const double share = static_cast<double>(filled) / static_cast<double>(std::max<std::int64_t>(rows, 1));
    if (share > 0.5) {
      yielding.push_back(action.names[a]);
    } else if (share > 0.01) {
      return {};
    }
  }
  return yielding.size() < counts.size() ? yielding : std::vector<std::string>{};
}

std::vector<std::string> natural_order(const std::vector<std::string>& codes,
                                       std::vector<std::string>& left_out) {
  const auto digits_at = [](const std::string& code) { return code.find_first_of("0123456789"); };
  std::map<std::string, int> patterns;
  for (const std::string& code : codes) {
    if (digits_at(code) != std::string::npos) ++patterns[code.substr(0, digits_at(code))];
  }
  const auto commonest = std::max_element(patterns.begin(), patterns.end(),
                                          [](const auto& x, const auto& y) { return x.second < y.second; });
  std::vector<std::string> ordered = codes;
  if (commonest == patterns.end()) {
    std::sort(ordered.begin(), ordered.end(), [](const std::string& x, const std::string& y) {
      return std::pair(!is_baseline(x), x) < std::pair(!is_baseline(y), y);
    });
    return ordered;
  }
  const auto belongs = [&](const std::string& code) {
    const std::size_t at = digits_at(code);
    return is_baseline(code) || (at != std::string::npos && code.substr(0, at) == commonest->first);
  };
  std::copy_if(codes.begin(), codes.end(), std::back_inserter(left_out),
               [&](const std::string& code) { return !belongs(code); });
  std::erase_if(ordered, [&](const std::string& code) { return !belongs(code); });
  const auto place = [&](const std::string& code) {
    const double number = is_baseline(code) ? -1.0 : std::atof(code.c_str() + digits_at(code));
    return std::pair(number, code);
  };
  std::sort(ordered.begin(), ordered.end(),
            [&](const std::string& x, const std::string& y) { return place(x) < place(y); });
  return ordered;
}

}  // namespace interpole::data
