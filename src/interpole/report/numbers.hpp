// How numbers are written for readers. No function here ever writes "nan" or "inf": what is not a number is a
// dash.
#pragma once

#include <string>

namespace interpole::report {

// 0.4567 as "46%". What is not certain is never rounded to certainty: "<1%", ">99%".
std::string percent(double probability);

// One decimal, where a table has room for it: "45.7%", "90%", "<0.1%", ">99.9%".
std::string fine_percent(double probability);

// A coordinate of a drawing: at most two decimals; 0 if it is not a number.
std::string coordinate(double value);

}  // namespace interpole::report
