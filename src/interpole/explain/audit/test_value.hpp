// What a test is worth to a cohort: how much it is expected to tell, and how often any of its outcomes would
// change the next decision; where it was done, and where it was not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpole/counterfactual.hpp"
#include "interpole/history_tree.hpp"

namespace interpole::explain {

struct TestValue {
  std::int64_t visits = 0;
  double information = 0.0;                 // bits, averaged over visits, as the agent saw it
  std::optional<double> information_world;  // as it was
  // The share of visits at which outcomes differ in the likeliest next action; none: withheld, as those
  // visits or the others are few.
  std::optional<double> decides = 0.0;
};

// None: withheld, for few visits or visits of few patients. The visits of all tests and those of other
// actions add up to all visits, so with a test that was seldom done another one is withheld.
struct CohortTestValue {
  int action = 0;
  std::optional<TestValue> done;      // visits at which it was
  std::optional<TestValue> not_done;  // visits at which something else was
};

// Histories that a model calls impossible are left out. Averages are 0 where there are no visits.
std::vector<CohortTestValue> test_values(const HistoryTree& tree, const Model& model,
                                         const std::vector<int>& tests, std::int64_t min_cell);

}  // namespace interpole::explain
