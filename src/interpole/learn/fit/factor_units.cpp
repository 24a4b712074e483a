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

namespace {

double median_gap(const HistoryTree& tree, const GapTable& gaps) {
  std::vector<std::pair<double, std::int64_t>> counts;
  std::int64_t all = 0;
  for (const HistoryTree::Group& group : tree.groups) {
    if (group.gap == kNoGap) continue;
    counts.emplace_back(gaps.at(group.gap), 0);
    for (int node = group.begin; node < group.end; ++node) counts.back().second += tree.passes[node];
    all += counts.back().second;
  }
  std::ranges::sort(counts);
  std::int64_t below = 0;
  for (const auto& [gap, count] : counts) {
    below += count;
    if (2 * below >= all) return gap;
  }
  return 1.0;  // no two visits of one record
}

// Rows of rates measured in a gap that is so many times as long. Open numbers and zeros stay.
void measure_in(double times, std::size_t states, std::vector<double>& transition) {
  for (std::size_t begin = 0; begin < transition.size(); begin += states) {
    const std::size_t own = begin / states % states;
    double sum = 0.0;
    for (std::size_t to = 0; to < states; ++to) {
      double& share = transition[begin + to];
      if (to != own) share *= times;
      if (!std::isnan(share)) sum += share;
    }
    for (std::size_t to = 0; to < states; ++to) transition[begin + to] /= sum > 0.0 ? sum : 1.0;
  }
}

}  // namespace

DecisionProblem with_typical_gap(DecisionProblem problem, const HistoryTree& tree) {
  Structure& structure = problem.structure;
  if (!structure.timed() || structure.time->typical) return problem;
  structure.time->typical = median_gap(tree, *structure.gaps.table);
  const double times = *structure.time->typical;
  const std::size_t S = structure.states.size();
  measure_in(times, S, problem.known.dynamics.transition);
  measure_in(times, S, problem.start.dynamics.transition);
  if (problem.world) measure_in(times, S, problem.world->transition);
  return problem;
}

}  // namespace interpole::learn
