// The rows of the paper's tables as we fill them: every learner of the registry, and beside some of them the
// same learner set up as the paper has it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpole/learners/learner.hpp"

namespace interpole::evaluate {

struct TableRow {
  std::string name;   // "po-irl-paper"
  std::string label;  // "PO-IRL, paper's chain"
  const learners::Learner* learner = nullptr;
  std::vector<std::pair<std::string, double>> options;  // others than the learner's defaults
  std::string paper;                                    // the paper's algorithm; empty: it has none like it
  double seconds = 1.0;     // about so long on BIAS: what takes long is begun first
  bool only_named = false;  // left out unless asked for by name
};

std::vector<TableRow> all_table_rows();

// The rows of these names, in the order of the table; all that are not only_named if there are none. Throws a
// usage error that names the known ones and the closest, or a name given twice.
std::vector<TableRow> table_rows_named(const std::vector<std::string>& names);

}  // namespace interpole::evaluate
