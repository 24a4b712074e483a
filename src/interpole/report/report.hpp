// The report of a fit: one HTML file that needs nothing else, holds no scripts and loads nothing. Says when
// each action is taken, what was believed along the way in a few records, and what the decisions take for
// true.
#pragma once

#include <string>
#include <vector>

#include "interpole/data/history_tree.hpp"
#include "interpole/data/records.hpp"
#include "interpole/model/parameters.hpp"

namespace interpole {

struct ReportInput {
  std::string title;                  // of the study, e.g. "BIAS"
  const Model* model = nullptr;       // fitted; `world` is optional
  const HistoryTree* tree = nullptr;  // the data
  std::vector<Record> examples;       // the first few are drawn; their identifiers are never shown
  std::vector<std::string> facts;     // plain sentences: how it was fitted
  std::vector<std::string> warnings;  // plain sentences shown in a banner: not converged, not identified, …
  int min_cell = 11;                  // counts from 1 to min_cell − 1 are withheld
};

// A complete HTML document in UTF-8. Throws an input error if the model is not valid or the data do not
// belong to it.
std::string render_report(const ReportInput& input);

}  // namespace interpole
