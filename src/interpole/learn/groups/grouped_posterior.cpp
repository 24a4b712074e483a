#include "interpole/learn/groups/grouped_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/learn/posterior/study_space.hpp"

namespace interpole::learn {
namespace {

constexpr inference::LikelihoodTerms kActions = {.actions = true, .observations = false};
constexpr inference::LikelihoodTerms kObservations = {.actions = false, .observations = true};

}  // namespace

GroupedPosterior::GroupedPosterior(const std::vector<const inference::Likelihood*>& groups,
                                   const DecisionProblem& problem, const CouplingScales& scales,
                                   double spread, Measure measure)
    : likelihoods_(groups),
      problem_(problem),
      space_(problem, {scales, false}),
      coupling_(problem, space_, {scales, false}),
      measure_(measure),
      unit_(std::min(spread, 1.0)),
      ratio_(unit_ == 0.0 ? 1.0 : spread / unit_),
      gradient_(Parameters::filled(problem.structure, 0.0)),
      agent_y_(space_.agent().size()),
      d_agent_(space_.agent().size()),
      policy_y_(space_.policy().size()),
      d_policy_(space_.policy().size()) {
  for (const auto& block : space_.policy().blocks()) {
    if (block.field != Field::kMeans) continue;
    for (int i = block.offset; i < block.offset + block.size; ++i) mean_coordinates_.push_back(i);
  }
  deviations_ = static_cast<int>(mean_coordinates_.size());
  for (const inference::Likelihood* likelihood : likelihoods_)
    workspaces_.push_back(likelihood->make_workspace());
  const std::vector<double> origin(space_.size(), 0.0);
  agent_ = space_.agent_point(origin);
  world_ = {space_.world_point(origin), agent_.policy};
}

void GroupedPosterior::group_coordinates(std::span<const double> y, int group,
                                         std::span<double> policy_y) const {
  const auto common = space_.policy_part(common_part(y));
  std::copy(common.begin(), common.end(), policy_y.begin());
  for (int k = 0; k < deviations_; ++k) {
    policy_y[mean_coordinates_[k]] += unit_ * y[deviation_offset(group) + k];
  }
}

Policy GroupedPosterior::group_policy(std::span<const double> y, int group) const {
  std::vector<double> policy_y(space_.policy().size());
  group_coordinates(y, group, policy_y);
  return space_.policy().point(policy_y);
}

void GroupedPosterior::set_point(std::span<const double> y) {
  const auto common = common_part(y);
  space_.agent_coordinates(common, agent_y_);
  space_.agent().point(agent_y_, agent_.dynamics);
  space_.policy().point(space_.policy_part(common), agent_.policy);
  space_.world().point(space_.world_part(common), world_.dynamics);
  agent_.dynamics.start = world_.dynamics.start;
}

double GroupedPosterior::add_prior(std::span<const double> y, std::span<double> gradient) {
  const auto common = common_part(y);
  const auto d_common = gradient.first(space_.size());
  const auto d_policy = space_.policy_part(d_common);
  const auto d_world = space_.world_part(d_common);
  double value = log_prior(space_.policy(), problem_.priors, space_.policy_part(common), d_policy) +
                 log_prior(space_.world(), problem_.priors, world_.dynamics, d_world);
  if (measure_ == Measure::kCoordinates) {
    value += space_.policy().log_jacobian(agent_.policy, d_policy) +
             space_.world().log_jacobian(world_.dynamics, d_world);
  }
  value += coupling_.evaluate(space_.gap_part(common), agent_.dynamics, space_.gap_part(d_common), d_agent_);
  if (std::isinf(ratio_)) return value;
  const double precision = 1.0 / (ratio_ * ratio_);
  for (std::size_t i = space_.size(); i < y.size(); ++i) {
    value -= 0.5 * precision * y[i] * y[i] + std::log(ratio_) + 0.5 * std::log(2.0 * std::numbers::pi);
    gradient[i] -= precision * y[i];
  }
  return value;
}

double GroupedPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(d_agent_.begin(), d_agent_.end(), 0.0);
  set_point(y);
  value_ = {};
  log_prior_ = add_prior(y, gradient);
  const auto d_common = gradient.first(space_.size());
  const Policy common = agent_.policy;
  for (int g = 0; g < group_count(); ++g) {
    group_coordinates(y, g, policy_y_);
    space_.policy().point(policy_y_, agent_.policy);
    const auto done = likelihoods_[g]->evaluate(agent_, kActions, &gradient_, workspaces_[g]);
    value_.impossible_node = done.impossible_node;
    if (value_.impossible_node) return -INFINITY;
    value_.actions += done.actions;
    space_.agent().pull_back(agent_.dynamics, gradient_.dynamics, d_agent_);
    space_.world().pull_back_start(gradient_.dynamics.start, space_.start_part(d_common));
    std::fill(d_policy_.begin(), d_policy_.end(), 0.0);
    space_.policy().pull_back(agent_.policy, gradient_.policy, d_policy_);
    for (std::size_t i = 0; i < d_policy_.size(); ++i) d_common[i] += d_policy_[i];
    for (int k = 0; k < deviations_; ++k) {
      gradient[deviation_offset(g) + k] += unit_ * d_policy_[mean_coordinates_[k]];
    }
    const auto seen = likelihoods_[g]->evaluate(world_, kObservations, &gradient_, workspaces_[g]);
    value_.impossible_node = seen.impossible_node;
    if (value_.impossible_node) return -INFINITY;
    value_.observations += seen.observations;
    space_.world().pull_back(world_.dynamics, gradient_.dynamics, space_.world_part(d_common));
  }
  agent_.policy = common;
  space_.pull_back(d_agent_, d_common);
  return value_.total() + log_prior_;
}

double GroupedPosterior::evaluate_prior(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(d_agent_.begin(), d_agent_.end(), 0.0);
  set_point(y);
  const double value = add_prior(y, gradient);
  space_.pull_back(d_agent_, gradient.first(space_.size()));
  return value;
}

AgentWorld GroupedPosterior::agent_world(std::span<const double> y) const {
  return {space_.agent_point(common_part(y)), space_.world_point(common_part(y))};
}

std::vector<double> GroupedPosterior::moved_here(std::vector<double> y, double spread_there) const {
  for (std::size_t i = space_.size(); i < y.size(); ++i) {
    y[i] *= unit_ > 0.0 ? std::min(spread_there, 1.0) / unit_ : 0.0;
  }
  return y;
}

void GroupedPosterior::coordinates(const AgentWorld& agent_world, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  space_.coordinates(agent_world, y.first(space_.size()));
}

std::vector<std::string> GroupedPosterior::names() const {
  std::vector<std::string> names = space_.names();
  for (int g = 0; g < group_count(); ++g) {
    for (const auto& block : space_.policy().blocks()) {
      if (block.field != Field::kMeans) continue;
      names.insert(names.end(), block.size, fmt::format("group {}: {}", g + 1, block.name));
    }
  }
  return names;
}

std::vector<std::vector<double>> GroupedPosterior::in_every_policy(
    const std::vector<std::vector<double>>& directions) const {
  std::vector<std::vector<double>> result;
  for (const auto& direction : directions) {
    std::vector<double> common(size(), 0.0);
    std::copy(direction.begin(), direction.end(), common.begin());
    result.push_back(common);
    for (int g = 0; g < group_count(); ++g) {
      std::vector<double> own(size(), 0.0);
      for (int k = 0; k < deviations_; ++k) own[deviation_offset(g) + k] = direction[mean_coordinates_[k]];
      result.push_back(std::move(own));
    }
  }
  return result;
}

}  // namespace interpole::learn
