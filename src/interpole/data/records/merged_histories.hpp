// A tree in which equal histories stand apart (a flat list: HistoryTreeBuilder with sharing = false), put
// together again.
#pragma once

#include "interpole/history_tree.hpp"

namespace interpole::data {

// The tree that the same records give when they share histories, whatever order they came in. O(nodes · A).
// For learners whose sums must not depend on how the records were stored, down to the last bit.
HistoryTree merged_histories(const HistoryTree& tree);

}  // namespace interpole::data
