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

// Beliefs on their way, for a chart over visits or over time: where visits have times, also what is believed
// between them, drifting by the rates.
struct CoursePoint {
  double at = 0.0;  // the visit's number from 0 on, or the time since the first visit
  std::vector<double> belief;
  int visit = -1;  // −1: between visits
};

// When each belief of the path was held: its place, or its time since the first visit. The last outcome is
// seen at once.
std::vector<double> moments_of(const Structure& structure, const ShownRecord& record, const RecordPath& path);

// `parts`: of each gap between visits, as many points but one between them and one just before the next
// visit.
std::vector<CoursePoint> course_of(const Model& model, const ShownRecord& record, const RecordPath& path,
                                   int parts);

// A sentence on visits that are not drawn; empty if all are.
std::string left_out_words(const ShownRecord& record, const RecordPath& path);

}  // namespace interpole::report
