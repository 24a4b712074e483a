// log Σ exp(x), whatever the size of the x.
#pragma once

#include <vector>

namespace interpole::learn {

// −∞ if there are none, or all are −∞.
double log_sum(const std::vector<double>& logs);

}  // namespace interpole::learn
