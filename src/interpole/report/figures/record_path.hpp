// A record's beliefs for drawing: before each decision, and where time passing alone would have led.
#pragma once

#include <optional>
#include <vector>

#include "interpole/report/figures/figure.hpp"

namespace interpole::report {

struct RecordPath {
  std::vector<std::vector<double>> beliefs;    // before each decision shown, then after the last outcome
  std::vector<std::vector<double>> predicted;  // [t]: Tᵀb, between beliefs t and t + 1
  std::vector<int> actions;                    // of the decisions shown
  int decisions = 0;                           // that are shown
  int left_out = 0;  // further ones: too many to draw, or after an impossible outcome

  bool has_final() const { return static_cast<int>(beliefs.size()) > decisions; }
};

// More visits than this no figure can show.
inline constexpr int kMostVisits = 60;

RecordPath path_of(const Model& model, const ShownRecord& record);

// What the belief would have become after each of the record's other outcomes.
std::vector<std::vector<double>> other_outcomes(const Model& model, const ShownRecord& record,
                                                const RecordPath& path);

// "Patient A: 5 visits, from 60% MCI to 92% Dementia", for those who cannot see the drawing.
std::string path_words(const Model& model, const ShownRecord& record, const RecordPath& path);

// A sentence on visits that are not drawn; empty if all are.
std::string left_out_words(const ShownRecord& record, const RecordPath& path);

}  // namespace interpole::report
