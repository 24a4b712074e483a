// How the values of a column of numbers are spread, for a draft that takes them as measured: the family that
// explains them best among those that allow them. Internal.
#pragma once

#include <optional>
#include <string>

#include "interpole/data/draft/table_profile.hpp"

namespace interpole::data {

struct FamilyGuess {
  std::string family;  // as a study names it
  std::string why;     // "guessed because …"
  // Limits of detection, where many cells have the lowest value, or the highest.
  std::optional<double> below{}, above{};
};

// Normal or log-normal, by what the values are likelier under; whole numbers that begin at nothing or nearly
// so also Poisson or negative binomial. Patients in several states make any column wider than its family: it
// is a guess.
// Nothing, where a density could run to infinity: values are rounded to steps that are wide for their spread,
// many cells have one value in between, or too few patients share an outermost one to show it.
std::optional<FamilyGuess> guess_family(const ProfiledTable& table, const std::string& column,
                                        const std::string& id);

}  // namespace interpole::data
