#include "interpole/data/study/study_row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

namespace interpole::data {
namespace {

constexpr double kSumTolerance = 1e-8;
constexpr double kMostMean = 1e6;

double read_element(const TomlValue& element, const StudyRow& row) {
  if (element.is_text("?")) return kNotStated;
  if (element.node().is_string()) element.refuse("expected a number, or \"?\" for an element to be learned");
  const double value = element.number();
  if (row.probabilities && (value < 0.0 || value > 1.0)) {
    element.refuse(fmt::format("{} is not a probability; it must lie between 0 and 1", value));
  }
  if (!row.probabilities && std::abs(value) > kMostMean) {
    element.refuse(fmt::format("{} is too far from all beliefs, which lie between 0 and 1; give at most {:g}",
                               value, kMostMean));
  }
  return value;
}

// What is settled stays; what is stated must agree with it.
double settle(const TomlValue& element, double stated, double fixed, const StudyRow& row) {
  if (std::isnan(fixed)) {
    if (row.starting && row.probabilities && stated == 0.0) {
      element.refuse(
          "a probability that starts at 0 cannot move away from it; start a little inside, such as 0.001, or "
          "state it under [known]");
    }
    return stated;
  }
  const bool agrees = std::isnan(stated) || std::abs(stated - fixed) <= kSumTolerance;
  if (!agrees && !row.for_all)
    element.refuse(fmt::format("{} where {} {}; write \"?\" here", stated, row.why_fixed, fixed));
  return fixed;
}

// A row must be able to sum to one.
void check_sum(const TomlValue& list, std::span<const double> merged, const StudyRow& row) {
  double sum = 0.0;
  double size = 1.0;
  int open = 0;
  for (const double value : merged) {
    open += std::isnan(value);
    sum += std::isnan(value) ? 0.0 : value;
    size += std::isnan(value) ? 0.0 : std::abs(value);
  }
  const double tolerance = row.probabilities ? kSumTolerance : kSumTolerance * size;
  if (open == 0 && std::abs(sum - 1.0) > tolerance) {
    list.refuse(fmt::format("the row sums to {:.10g}, not to 1; correct its elements", sum));
  }
  if (open > 0 && row.probabilities && sum > 1.0 + tolerance) {
    list.refuse(fmt::format("the numbers of the row sum to {:.10g}, above 1; correct its elements", sum));
  }
  if (open > 0 && row.probabilities && sum >= 1.0 - tolerance) {
    list.refuse("the numbers of the row sum to 1 and leave nothing for \"?\"; write 0 in its place");
  }
}

}  // namespace

void fill_determined(std::span<double> row) {
  double* open = nullptr;
  double rest = 1.0;
  for (double& value : row) {
    if (!std::isnan(value)) {
      rest -= value;
    } else if (open == nullptr) {
      open = &value;
    } else {
      return;
    }
  }
  if (open != nullptr) *open = rest;
}

void read_study_row(const TomlValue& list, const StudyRow& row) {
  const std::vector<TomlValue> elements = list.elements(row.values.size(), row.per);
  std::vector<double> merged(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    merged[i] = settle(elements[i], read_element(elements[i], row), row.fixed[i], row);
  }
  check_sum(list, merged, row);
  fill_determined(merged);
  for (std::size_t i = 0; i < merged.size(); ++i) {
    row.values[i] = row.starting && !std::isnan(row.fixed[i]) ? kNotStated : merged[i];
  }
}

}  // namespace interpole::data
