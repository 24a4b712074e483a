// A draw of what the hidden states were, in all records at once: forward filtering, backward sampling on the
// history tree.
//
// A record's states are drawn jointly, the last from the filtered belief, each before it from
// P(s_t | s_{t+1}, history) ∝ b_t(s_t) M(s_{t+1}, s_t). Given its history and its next state, a record's
// state depends on nothing else, so records that share both are split among the states by one multinomial
// draw: exact, and its cost grows with the distinct histories (times the logarithm of the records there).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/parameters.hpp"

namespace interpole::inference {

struct PathCounts {
  // How often each state, move and outcome occurred in the drawn paths; laid out, and on average equal to,
  // SmoothedCounts::expected. Whole numbers.
  Dynamics counts;
  std::vector<std::int64_t> states;    // [node·S + s]: records that were in state s at this history
  std::optional<int> impossible_node;  // as in LikelihoodValue; nothing else is then meaningful
};

PathCounts draw_paths(const HistoryTree& tree, const Structure& structure, const Dynamics& dynamics,
                      base::RandomStream& random);

// Shares `total` out among the weights, which need not sum to one; adds to `shares`.
void draw_multinomial(std::int64_t total, std::span<const double> weights, base::RandomStream& random,
                      std::span<std::int64_t> shares);

}  // namespace interpole::inference
