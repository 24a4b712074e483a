#include "interpole/learn/posterior/log_sum.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {

double log_sum(const std::vector<double>& logs) {
  double highest = -INFINITY;
  for (const double x : logs) highest = std::max(highest, x);
  if (std::isinf(highest)) return highest;
  double sum = 0.0;
  for (const double x : logs) sum += std::exp(x - highest);
  return highest + std::log(sum);
}

}  // namespace interpole::learn
