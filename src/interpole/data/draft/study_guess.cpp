#include "interpole/data/draft/study_guess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "interpole/base/messages.hpp"
#include "interpole/data/draft/column_names.hpp"
#include "interpole/data/draft/draft_text.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::int64_t kMostActions = 10;
constexpr std::size_t kMostLevels = 8;
// Outcomes: few enough that each is seen often, wherever there are rows for more than the fewest.
constexpr double kFewestOutcomes = 6.0;
constexpr double kMostOutcomes = 100.0;
constexpr double kRowsPerOutcome = 20.0;
// Of fewer patients a density is too sure of what it has seen.
constexpr std::int64_t kFewestForFamilies = 50;
constexpr std::int64_t kFewRepeats = 10;  // one row in so many may repeat a visit

// Columns whose names say something, the likeliest first.
template <class Rank>
std::vector<const ColumnProfile*> ranked(const TableProfile& profile, const Rank& rank) {
  std::vector<const ColumnProfile*> columns;
  for (const ColumnProfile& column : profile.columns) {
    if (rank(column.name) < kUnnamed) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const auto* x, const auto* y) { return rank(x->name) < rank(y->name); });
  return columns;
}

// Of a column that says yes or no.
bool says_yes_or_no(const ColumnProfile& column) {
  constexpr std::array<std::string_view, 13> kWords = {"yes",  "no", "y",   "n",   "true", "false", "ja",
                                                       "nein", "j",  "oui", "non", "0",    "1"};
  if (column.distinct != 2 || column.categories.size() != 2) return false;
  return std::all_of(column.categories.begin(), column.categories.end(), [&](const CellCount& cell) {
    std::string text = cell.text;
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
  });
}

class Guesser {
 public:
  Guesser(ProfiledTable& table, const std::string& where)
      : table_(table), profile_(table.profile()), where_(where) {}

  StudyGuess run() {
    guess_.missing = shared_missing_codes(profile_);
    guess_id_and_order();
    if (guess_.order.is_row_number || guess_.order.repeats > 0) return std::move(guess_);
    sort_columns();
    guess_action();
    guess_factors();
    return std::move(guess_);
  }

 private:
  void guess_id_and_order();
  std::optional<OrderGuess> order_of(const ColumnProfile& id, std::int64_t most_repeats);
  std::vector<const ColumnProfile*> ids_by_structure() const;
  void take_order(const ColumnProfile& id, const OrderGuess& order);
  void sort_columns();
  void guess_action();
  bool action_by_column();
  void guess_factors();

  ProfiledTable& table_;
  const TableProfile& profile_;
  const std::string& where_;
  StudyGuess guess_;
  std::vector<const ColumnProfile*> varying_;  // neither id nor order, and not constant within a record
};

void Guesser::take_order(const ColumnProfile& id, const OrderGuess& order) {
  guess_.id = id.name;
  guess_.records = id.distinct;
  guess_.order = order;
}

// The likeliest column that puts an id's rows in order, with at most so many rows at the same place.
std::optional<OrderGuess> Guesser::order_of(const ColumnProfile& id, std::int64_t most_repeats) {
  const auto filled = [&](const ColumnProfile* column) { return column->filled * 10 >= profile_.rows * 9; };
  std::vector<const ColumnProfile*> columns = ranked(profile_, order_rank);
  // Days are days whatever their column is called.
  for (const ColumnProfile& column : profile_.columns) {
    if (column.is_date() && order_rank(column.name) == kUnnamed) columns.push_back(&column);
  }
  for (const ColumnProfile* column : columns) {
    if (column == &id || !filled(column) || table_.varies_within(column->name, id.name) == 0) continue;
    auto order = as_order(*column);
    if (!order) continue;
    order->repeats = table_.repeated({id.name, column->name});
    if (order->repeats <= most_repeats) return order;
  }
  return std::nullopt;
}

// Columns that no name calls an id but that could be one: their values repeat, from twice to some hundred
// times.
std::vector<const ColumnProfile*> Guesser::ids_by_structure() const {
  std::vector<const ColumnProfile*> columns;
  for (const ColumnProfile& column : profile_.columns) {
    const bool repeats = column.distinct >= 2 && column.distinct * 3 <= column.filled * 2 &&
                         column.distinct * 300 >= column.filled;
    if (column.filled == profile_.rows && repeats && !column.is_date() &&
        order_rank(column.name) == kUnnamed && action_rank(column.name) == kUnnamed)
      columns.push_back(&column);
  }
  return columns;
}

void Guesser::guess_id_and_order() {
  const auto filled = [&](const ColumnProfile* column) { return column->filled * 10 >= profile_.rows * 9; };
  std::vector<const ColumnProfile*> named;
  for (const ColumnProfile* id : ranked(profile_, id_rank)) {
    if (filled(id) && id->distinct * 6 <= id->filled * 5) named.push_back(id);
  }
  for (const std::int64_t most_repeats : {std::int64_t{0}, profile_.rows / kFewRepeats}) {
    for (const ColumnProfile* id : named) {
      table_.keep_shared_by(id->name);
      if (const auto order = order_of(*id, most_repeats)) return take_order(*id, *order);
    }
  }
  if (named.empty()) {
    for (const ColumnProfile* id : ids_by_structure()) {
      table_.keep_shared_by(id->name);
      const auto order = order_of(*id, 0);
      if (!order) continue;
      guess_.id_by_structure = true;
      return take_order(*id, *order);
    }
  }
  // Without a column to go by there is still the order of the rows, if a patient has several and no column
  // claims to say it.
  if (!named.empty() && ranked(profile_, order_rank).empty()) {
    table_.keep_shared_by(named.front()->name);
    OrderGuess order;
    order.is_row_number = true;
    return take_order(*named.front(), order);
  }
  if (named.empty()) {
    throw input_error(fmt::format(
        "{}: no column looks like a record id: looked for a name such as id, rid, patient or subject, "
        "at least 90% filled in, whose values repeat from visit to visit; rename the column, or "
        "write the study by hand (docs/study-file.md)",
        where_));
  }
  std::vector<std::string> ids;
  ids.reserve(named.size());
  for (const ColumnProfile* id : named) ids.push_back(id->name);
  throw input_error(fmt::format(
      "{}: no column orders the visits of {}: looked for a name such as visit, viscode, time, t, "
      "step or date, at least 90% filled in with numbers, dates or common codes, no two rows of a "
      "record alike; rename the column, or write the study by hand (docs/study-file.md)",
      where_, base::name_list(ids)));
}

// What stays the same within a record describes the patient, not the visit.
void Guesser::sort_columns() {
  for (const ColumnProfile& column : profile_.columns) {
    if (column.name == guess_.id || column.name == guess_.order.column || column.filled == 0) continue;
    const int group = group_rank(column.name);
    if (group < kUnnamed) {
      if (guess_.group.empty()) guess_.group = column.name;
    } else if (diagnosis_rank(column.name) < kUnnamed) {
      guess_.diagnoses.push_back(column.name);
    } else if (id_rank(column.name) == kUnnamed && order_rank(column.name) == kUnnamed && !column.is_date()) {
      if (table_.varies_within(column.name, guess_.id) > 0) {
        varying_.push_back(&column);
      } else if (column.is_numeric() || column.distinct <= ProfiledTable::kMostCategories) {
        guess_.covariates.push_back(column.name);
      }
    }
  }
}

bool Guesser::action_by_column() {
  std::vector<const ColumnProfile*> candidates = ranked(profile_, action_rank);
  const auto can_be = [&](const ColumnProfile* column) {
    const bool varies = std::find(varying_.begin(), varying_.end(), column) != varying_.end();
    return varies && column->distinct <= kMostActions && column->categories.size() >= 2;
  };
  std::erase_if(candidates, [&](const ColumnProfile* column) { return !can_be(column); });
  const bool named = !candidates.empty();
  if (!named) {
    // A single column that says yes or no is about something that was done or not, more often than not.
    std::copy_if(varying_.begin(), varying_.end(), std::back_inserter(candidates),
                 [](const ColumnProfile* column) { return says_yes_or_no(*column); });
    if (candidates.size() != 1) candidates.clear();
  }
  for (const ColumnProfile* column : candidates) {
    guess_.action = as_action(*column, profile_.rows, guess_.missing);
    guess_.action.by_name = named;
    return true;
  }
  return false;
}

// A number that is measured at some visits only may be what was decided about. The nearer to one half, the
// more there is to decide.
void Guesser::guess_action() {
  const bool found = action_by_column();
  const auto share = [&](const ColumnProfile* column) {
    return static_cast<double>(column->filled) / static_cast<double>(profile_.rows);
  };
  std::vector<const ColumnProfile*> optional;
  for (const ColumnProfile* column : varying_) {
    if (column->is_numeric() && share(column) >= 0.05 && share(column) <= 0.95) optional.push_back(column);
  }
  std::stable_sort(optional.begin(), optional.end(), [&](const auto* x, const auto* y) {
    return std::abs(share(x) - 0.5) < std::abs(share(y) - 0.5);
  });
  ActionGuess& action = guess_.action;
  if (!found && !varying_.empty()) {
    action = as_presence(optional.empty() ? *varying_.front() : *optional.front());
    action.likely = !optional.empty();
  }
  for (const ColumnProfile* column : optional) {
    if (column->name != action.column && action.alternatives.size() < 5) {
      action.alternatives.push_back(column->name);
    }
  }
}

void Guesser::guess_factors() {
  std::vector<FactorGuess> found;
  for (const ColumnProfile* column : varying_) {
    if (column->name == guess_.action.column && !guess_.action.by_presence) continue;
    // A further column of decisions is nothing that was observed.
    if (!guess_.action.by_presence && action_rank(column->name) < 100) continue;
    if (auto factor = as_factor(table_, *column, guess_.missing, kMostLevels)) {
      factor->yielded_by = yielding_beside(table_, column->name, guess_.action);
      found.push_back(std::move(*factor));
    }
  }
  // What only some actions yield tells most about them; then what is usually there.
  const auto rank = [&](const FactorGuess& factor) {
    if (!factor.yielded_by.empty()) return 0;
    return factor.filled * 2 >= profile_.rows ? 1 : 2;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& x, const auto& y) { return rank(x) < rank(y); });
  const double most = most_outcomes(profile_.rows);
  double outcomes = 1.0;
  for (FactorGuess& factor : found) {
    const double levels = outcome_levels(factor);
    const bool fits =
        guess_.factors.size() < kMostFactors && (guess_.factors.empty() || outcomes * levels <= most);
    const bool wanted = rank(factor) < 2 || guess_.factors.empty();
    if (fits && wanted) outcomes *= levels;
    (fits && wanted ? guess_.factors : guess_.candidates).push_back(std::move(factor));
  }
  if (guess_.factors.empty()) {
    throw input_error(fmt::format(
        "{}: no column looks like an observation: looked for numbers, or for categories with at "
        "most {} values of at least {} records each, that change within a record of {}; add one, or "
        "write the study by hand (docs/study-file.md)",
        where_, kMostLevels, ProfiledTable::kCommon, base::shown(guess_.id)));
  }
}

}  // namespace

void guess_measured(const ShapedTable& shaped, StudyGuess& guess) {
  for (auto* factors : {&guess.factors, &guess.candidates}) {
    for (FactorGuess& factor : *factors) {
      if (factor.numeric && guess.records >= kFewestForFamilies)
        factor.family = guess_family(*shaped.table, factor.column, guess.id);
    }
  }
  guess.time = guess_time(*shaped.table, guess.id, guess.order);
}

double most_outcomes(std::int64_t rows) {
  return std::clamp(static_cast<double>(rows) / kRowsPerOutcome, kFewestOutcomes, kMostOutcomes);
}

double outcome_levels(const FactorGuess& factor) {
  return static_cast<double>(factor.levels.size() + (factor.yielded_by.empty() ? 0 : 1));
}

StudyGuess guess_study(ProfiledTable& table, const std::string& where) {
  return Guesser(table, where).run();
}

StudyGuess guess_study(ShapedTable& shaped, const std::string& path) {
  StudyGuess guess = Guesser(*shaped.table, path).run();
  if (guess.order.is_row_number) {
    shaped.number_rows(path);
    guess = Guesser(*shaped.table, path).run();
  }
  if (guess.order.repeats > 0) {
    shaped.keep_first_of(path, guess.id, guess.order.column, guess.order.repeats);
    guess = Guesser(*shaped.table, path).run();
  }
  return guess;
}

}  // namespace interpole::data
