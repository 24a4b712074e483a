// How numbers are written for readers. No function here ever writes "nan" or "inf": what is not a number is a
// dash.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace interpole::report {

// 0.4567 as "46%". What is not certain is never rounded to certainty: "<1%", ">99%".
std::string percent(double probability);

// One decimal, where a table has room for it: "45.7%", "90%", "<0.1%", ">99.9%".
std::string fine_percent(double probability);

// "7,926", but "<11" for 1 … 10 if `min_cell` is 11: small counts could point to a patient.
std::string safe_count(std::int64_t count, int min_cell);

// Which counts of a table whose total is shown must be withheld: those from 1 to min_cell − 1, and as many of
// the next smallest as it takes that the withheld ones cannot be worked out from the total.
std::vector<char> withheld(std::span<const std::int64_t> counts, int min_cell);

// A coordinate of a drawing: at most two decimals; 0 if it is not a number.
std::string coordinate(double value);

}  // namespace interpole::report
