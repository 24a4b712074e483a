// A number that is not known exactly: the middle and an interval of its posterior draws.
#pragma once

#include <string>
#include <vector>

namespace interpole {

struct Estimate {
  double middle = 0.0;  // median
  double low = 0.0;
  double high = 0.0;
};

// The central interval that holds `level` of the draws (at least one draw; linear between order statistics).
Estimate estimate_of(std::vector<double> draws, double level);

// "20% [17, 23]", with a decimal where whole percents would hide the interval.
std::string shown_percent(const Estimate& x);

}  // namespace interpole
