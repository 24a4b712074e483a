// What the columns of a table seem to be: whose row, which visit, what was done, what was seen. Guessed from
// names and counts alone, each guess with its reason, for the draft that study_init writes.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/draft/seen_evidence.hpp"
#include "interpole/data/draft/table_profile.hpp"
#include "interpole/data/draft/table_shape.hpp"
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
  std::vector<std::string> levels;
  std::vector<double> quantiles;
  std::vector<std::string> missing;     // codes of this column alone
  std::vector<std::string> yielded_by;  // actions; empty: all
  std::int64_t filled = 0;
  std::int64_t distinct = 0;
  Reading seen = Reading::kAfter;
};

struct StudyGuess {
  std::string id;
  std::int64_t records = 0;
  OrderGuess order;
  ActionGuess action;
  std::vector<std::string> missing;     // codes of the whole table
  std::vector<FactorGuess> factors;     // to begin with
  std::vector<FactorGuess> candidates;  // that could be factors too
  std::vector<std::string> covariates;  // columns that are constant within a record
  std::vector<std::string> diagnoses;   // columns that may name the states
  std::string group;                    // empty: none
  bool id_by_structure = false;         // no name says id; the column behaves like one
  SeenEvidence seen;                    // what the factors' `seen` was guessed from
};

// Throws an input error that begins with `where` and says what was looked for if there is no id, no order of
// visits, or nothing observed. The table's categories are then those that enough records share.
StudyGuess guess_study(ProfiledTable& table, const std::string& where);

// The same, of a table in whatever shape it is: brings it into one that can be guessed about, first.
StudyGuess guess_study(ShapedTable& shaped, const std::string& path);

// How many outcomes the factors of a table of so many rows may make, and how many a factor makes of one.
double most_outcomes(std::int64_t rows);
double outcome_levels(const FactorGuess& factor);
inline constexpr std::size_t kMostFactors = 3;

// Visit codes in their natural order: baseline, then by number (m03, m06, m12, not by the alphabet). Codes
// that are not of the commonest pattern go to `left_out`.
std::vector<std::string> natural_order(const std::vector<std::string>& codes,
                                       std::vector<std::string>& left_out);

}  // namespace interpole::data
