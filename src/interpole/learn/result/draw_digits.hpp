// How many digits the numbers of posterior draws keep. A page carries draws as text and works with them;
// sentences and intervals of the page and of the program are equal, to the last digit that is shown, only if
// both have the same numbers.
#pragma once

#include <vector>

#include "interpole/fit.hpp"

namespace interpole::learn {

// Rounds every number to five significant digits, or to a thousandth of its standard deviation over the draws
// where that is finer: less than is known of it in either case.
void keep_known_digits(std::vector<AgentWorld>& draws);

}  // namespace interpole::learn
