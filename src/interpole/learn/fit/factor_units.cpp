#include "interpole/learn/fit/factor_units.hpp"

#include <algorithm>
#include <cmath>

namespace interpole::learn {
namespace {

constexpr double kLeastLogScale = 0.1;
constexpr double kLeastMean = 0.1;  // of counts that are all 0

struct Moments {
  double count = 0.0;
  double mean = 0.0;
  double squares = 0.0;  // Σ (x − mean)²

  void add(double x, double weight) {
    count += weight;
    const double away = x - mean;
    mean += away * weight / count;
    squares += weight * away * (x - mean);
  }
  double variance() const { return count > 0.0 ? squares / count : 0.0; }
};

void set_unit(const Moments& values, MeasuredFactor& factor) {
  double centre = values.mean;
  double scale = std::sqrt(values.variance());
  if (!(scale > 0.0)) scale = std::max(1.0, std::abs(values.mean));
  if (factor.family == Family::kLogNormal) {  // the values are logarithms
    centre = std::exp(values.mean);
    scale = std::max(std::sqrt(values.variance()), kLeastLogScale);
  } else if (factor.family == Family::kPoisson || factor.family == Family::kNegativeBinomial) {
    centre = std::max(values.mean, kLeastMean);
    scale = std::max(std::sqrt(std::log1p(values.variance() / (centre * centre))), kLeastLogScale);
  }
  if (!factor.centre) factor.centre = centre;
  if (!factor.scale) factor.scale = scale;
}

}  // namespace

DecisionProblem with_factor_units(DecisionProblem problem, const HistoryTree& tree) {
  auto& factors = problem.structure.factors;
  const bool stated = std::ranges::all_of(factors, [](const MeasuredFactor& factor) {
    return factor.has_levels() || (factor.centre && factor.scale);
  });
  if (stated) return problem;
  std::vector<Moments> values(factors.size());
  for (const HistoryTree::Group& group : tree.groups) {
    if (group.observation == kMissing) continue;
    double passes = 0.0;
    for (int node = group.begin; node < group.end; ++node) passes += static_cast<double>(tree.passes[node]);
    const auto outcome = problem.structure.outcomes.table->at(group.observation);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (std::isnan(outcome[f])) continue;
      values[f].add(factors[f].family == Family::kLogNormal ? std::log(outcome[f]) : outcome[f], passes);
    }
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!factors[f].has_levels()) set_unit(values[f], factors[f]);
  }
  return problem;
}

}  // namespace interpole::learn
