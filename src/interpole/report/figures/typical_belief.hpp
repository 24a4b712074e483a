// What beliefs look like in the data, for figures that cannot show all states at once.
#pragma once

#include <utility>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"

namespace interpole::report {

// The mean belief over all decisions.
std::vector<double> typical_belief(const HistoryTree& tree, const inference::NodeBeliefs& beliefs);

// Pairs of states between which decisions were made: by the mean of the product of the two beliefs, the
// largest first, at most `most` of them.
std::vector<std::pair<int, int>> telling_pairs(const HistoryTree& tree, const inference::NodeBeliefs& beliefs,
                                               std::size_t most);

}  // namespace interpole::report
