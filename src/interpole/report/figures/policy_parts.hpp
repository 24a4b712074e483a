// What the figures of a policy have in common, whatever the number of states.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/report/figures/figure.hpp"

namespace interpole::report {

Drawing policy_line_figure(const PolicyFigureInput& input);     // two states
Drawing policy_simplex_figure(const PolicyFigureInput& input);  // three and more

// How many decisions were made at beliefs in each of several cells.
struct VisitCounts {
  std::vector<std::int64_t> counts;
  std::vector<char> hidden;  // small counts, and those that would give them away
  std::int64_t most = 1;     // of those not hidden
  std::int64_t total = 0;    // in all cells

  std::string words(int min_cell) const;  // what discs or bars show
};

// The cell of a belief; none: it is not counted.
using CellOf = std::function<std::optional<int>(std::span<const double>)>;
VisitCounts count_visits(const PolicyFigureInput& input, int cells, const CellOf& cell_of);

Look visit_look(bool hidden);

// Regions in words, for those who cannot see them.
std::string policy_words(const PolicyFigureInput& input);

}  // namespace interpole::report
