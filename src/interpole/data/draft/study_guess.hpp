// What the columns of a table seem to be: whose row, which visit, what was done, what was seen. Guessed from
// names and counts alone, each guess with its reason, for the draft that study_init writes.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/draft/column_roles.hpp"
#include "interpole/data/draft/table_profile.hpp"
#include "interpole/data/draft/table_shape.hpp"
#include "interpole/data/draft/time_guess.hpp"
#include "interpole/data/seen/seen_evidence.hpp"

namespace interpole::data {

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
  std::optional<TimeGuess> time{};      // when visits were
  bool id_by_structure = false;         // no name says id; the column behaves like one
  SeenEvidence seen;                    // what the factors' `seen` was guessed from
};

// Throws an input error that begins with `where` and says what was looked for if there is no id, no order of
// visits, or nothing observed. The table's categories are then those that enough records share.
StudyGuess guess_study(ProfiledTable& table, const std::string& where);

// The same, of a table in whatever shape it is: brings it into one that can be guessed about, first.
StudyGuess guess_study(ShapedTable& shaped, const std::string& path);

// Families of the factors and of candidates, and when visits were: what a draft of measured factors needs
// beside the rest of the guess.
void guess_measured(const ShapedTable& shaped, StudyGuess& guess);

// How many outcomes the factors of a table of so many rows may make, and how many a factor makes of one.
double most_outcomes(std::int64_t rows);
double outcome_levels(const FactorGuess& factor);
inline constexpr std::size_t kMostFactors = 3;

}  // namespace interpole::data
