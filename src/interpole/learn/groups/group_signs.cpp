#include "interpole/learn/groups/group_signs.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/unrecorded_sign/sign_profile.hpp"

namespace interpole::learn {
namespace {

// How much better two sets of dynamics explain the group than one.
double log_ratio_of_two(const HistoryTree& tree, const FitSummary& own, const std::vector<Parameters>& starts,
                        const optimize::LbfgsOptions& options) {
  const inference::Likelihood likelihood(tree, own.problem.structure);
  const auto one =
      make_posterior(likelihood, own.problem, {DynamicsMode::kShared, Measure::kCoordinates, {}});
  double of_one = -INFINITY;
  for (const Parameters& start : starts) {
    std::vector<double> y(one->size());
    one->coordinates({start, {}}, y);
    of_one = std::max(of_one, laplace(*one, y, options).log_evidence);
  }
  double of_two = -INFINITY;
  if (own.uncertainty) {
    for (const auto& component : own.uncertainty->components) {
      of_two = std::max(of_two, component.laplace.log_evidence);
    }
  }
  return std::isfinite(of_one) && std::isfinite(of_two) ? of_two - of_one : 0.0;
}

}  // namespace

GroupSign weigh_group_sign(const HistoryTree& tree, const FitSummary& own,
                           const optimize::LbfgsOptions& options) {
  std::vector<Parameters> starts = {own.parameters};
  if (own.world) starts.insert(starts.begin(), {*own.world, own.parameters.policy});
  const auto profile = weigh_sign(tree, own.problem, starts, {});
  if (!profile.not_weighed.empty()) return {0.0, -INFINITY, profile.not_weighed};
  const double other = std::max(0.0, log_ratio_of_two(tree, own, starts, options));
  return {profile.best().right, profile.log_mean_ratio() - other, {}};
}

}  // namespace interpole::learn
