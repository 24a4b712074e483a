// The measured outcomes of records and the times between their visits, as the explorer's document has them
// (docs/explorer-data.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole::service {

// Outcomes are numbered as the table has them, which the document must not tell. [outcome]: its place among
// all that were met, by the values of the first factor, then of the second … An empty cell comes before every
// number.
std::vector<int> outcome_ranks(const OutcomeTable& outcomes);

// [factor][i]: its value at the i-th of all visits that have a result, record by record; null: none. `exact`:
// unless so, numbers have no more digits than beliefs show (shown_value).
nlohmann::ordered_json measured_values_json(const Structure& structure, std::span<const int> outcomes,
                                            bool exact);

// A measured number to a thousandth of what its factor varies by, or finer: more digits would tell patients
// apart and say nothing of their beliefs. Counts and limits of detection stay as they are, and nothing
// becomes a limit.
double shown_value(const MeasuredFactor& factor, double value);

// The time from one visit to the next in about twentieths of a typical gap, and in no more than two digits:
// what is believed hardly depends on more, and a row of exact ones tells patients apart. Whole steps stay
// whole; some time always passes.
double shown_gap(const VisitTime& time, double gap);

// What measured factors are, in the words of the model file, and what each parameter of theirs is called.
nlohmann::ordered_json explorer_measured_json(const Structure& structure);

}  // namespace interpole::service
