// Levels into which decisions fall, few enough and large enough to be compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace interpole::explain {

struct Levels {
  std::vector<std::int32_t> of_site;  // −1: none
  std::vector<std::string> words;
};

// Fewer decisions than this are not a level of their own: their rates tell nothing, or of few people.
inline constexpr double kFewestAtLevel = 30.0;

// Levels in an order: from the first small one on they are one, whose words get `ending`.
void pool_tail(Levels& levels, const std::vector<double>& totals, const std::string& ending);
// Levels without an order: small ones are put together as `rest`, and left out if they are still too small.
void pool_small(Levels& levels, const std::vector<double>& totals, const std::string& rest);
// At most `bins` of about equally many decisions; equal values stay together, NaN is in none.
Levels quantile_bins(const std::vector<double>& values, const std::vector<double>& totals, int bins);

}  // namespace interpole::explain
