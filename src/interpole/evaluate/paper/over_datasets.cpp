#include "interpole/evaluate/paper/over_datasets.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/evaluate/scores/student_t.hpp"

namespace interpole::evaluate {

OverDatasets over_datasets(std::vector<double> values, double least, double most) {
  OverDatasets result;
  result.count = static_cast<int>(values.size());
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  result.lowest = values.front();
  result.highest = values.back();
  result.median = values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  const double mean = sum / count;
  result.mean = mean;
  if (values.size() < 2) return result;
  double squares = 0.0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  result.deviation = std::sqrt(squares / (count - 1.0));
  const double reach = reach_of_mean(*result.deviation / std::sqrt(count), result.count);
  result.interval = Interval{std::max(least, mean - reach), std::min(most, mean + reach)};
  return result;
}

}  // namespace interpole::evaluate
