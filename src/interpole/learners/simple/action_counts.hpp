// How often each action was taken, overall and by some context, as probabilities that are never zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"

namespace interpole::learners {

// Of all decisions in a tree.
std::vector<double> count_actions(const HistoryTree& tree);

// (counts + weight·prior) / (total + weight): what was seen, and the prior where little was.
std::vector<double> smoothed(std::span<const double> counts, std::span<const double> prior, double weight);

// The same with every action equally likely beforehand.
std::vector<double> smoothed(std::span<const double> counts, double weight);

}  // namespace interpole::learners
