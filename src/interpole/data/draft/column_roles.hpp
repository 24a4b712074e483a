// What a column would be if it had a certain role in a study: the visits' order, what was done, what was
// seen. Whether it has that role is guessed (study_guess.hpp) or chosen (study_choice.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/data/draft/family_guess.hpp"
#include "interpole/data/draft/table_profile.hpp"
#include "interpole/data/seen/seen_evidence.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

struct OrderGuess {
  std::string column;
  OrderKind kind = OrderKind::kNumber;
  std::vector<std::string> codes;     // in their order
  std::vector<std::string> left_out;  // common codes that have no place among the others
  bool rare_codes = false;            // there are others, too rare to be listed
  bool is_row_number = false;         // no column says it: rows are taken in the order of the table
  std::int64_t repeats = 0;           // rows at a visit that the record has already
};

struct ActionGuess {
  std::string column;
  bool by_presence = false;        // the action is that the column is filled in
  bool by_name = true;             // false: because it says yes or no, and no name speaks of a decision
  bool likely = true;              // false: nothing looks like a decision, a column had to be taken
  std::vector<std::string> cells;  // of a column of actions
  std::vector<std::string> names;  // of the actions, as cells; by presence: if present, if absent
  bool other_cells = false;        // rare ones or codes: such rows must be left out
  bool empty_cells = false;
  std::vector<std::string> alternatives;  // columns whose presence could be the action
};

struct FactorGuess {
  std::string column;
  bool numeric = false;
  bool ordered = false;                 // its levels are numbers
  std::optional<FamilyGuess> family{};  // of numbers, where a draft takes them as measured
  std::vector<std::string> levels;
  std::vector<double> quantiles;
  std::vector<std::string> missing;     // codes of this column alone
  std::vector<std::string> yielded_by;  // actions; empty: all
  std::int64_t filled = 0;
  std::int64_t distinct = 0;
  Reading seen = Reading::kAfter;
};

// Codes that mean "no value" wherever they stand: words, and numbers that several columns use so and none has
// as a value.
std::vector<std::string> shared_missing_codes(const TableProfile& profile);
// Those of a column that are not among them.
std::vector<std::string> own_missing_codes(const ColumnProfile& column,
                                           const std::vector<std::string>& shared);

// Nothing, if its cells are neither numbers nor days nor at least two common codes.
std::optional<OrderGuess> as_order(const ColumnProfile& column);

// A column whose common cells are actions.
ActionGuess as_action(const ColumnProfile& column, std::int64_t rows,
                      const std::vector<std::string>& shared_missing);
// Whether the column is filled in is the action.
ActionGuess as_presence(const ColumnProfile& column);

// Categories if all its values are common and they are at most `most_levels`, else numbers at quantiles.
// Nothing, if it is neither.
std::optional<FactorGuess> as_factor(const ProfiledTable& table, const ColumnProfile& column,
                                     const std::vector<std::string>& shared_missing, std::size_t most_levels);

// The actions beside which, in the same row, the column is filled in, if it hardly ever is beside the others;
// empty: it does not depend on the action.
std::vector<std::string> yielding_beside(const ProfiledTable& table, const std::string& column,
                                         const ActionGuess& action);

// Visit codes in their natural order: baseline, then by number (m03, m06, m12, not by the alphabet). Codes
// that are not of the commonest pattern go to `left_out`.
std::vector<std::string> natural_order(const std::vector<std::string>& codes,
                                       std::vector<std::string>& left_out);

}  // namespace interpole::data
