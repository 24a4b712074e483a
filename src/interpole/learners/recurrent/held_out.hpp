// Sets some patients aside to watch a learner by. A history tree does not keep records, but it keeps how many
// end where, and that is all a split by patients needs: decisions of the two parts, counted on one tree.
#pragma once

#include <cstdint>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learners/recurrent/trainable_network.hpp"

namespace interpole::learners {

struct HeldOut {
  DecisionCounts training;
  DecisionCounts validation;
  std::int64_t validation_records = 0;
};

// The nearest whole number to share · records, drawn without replacement. Depends on the records as a set:
// neither their order nor the sharing of histories matters. Another `draw` takes others.
HeldOut hold_out_records(const HistoryTree& tree, double share, std::uint64_t seed, std::uint64_t draw = 0);

}  // namespace interpole::learners
