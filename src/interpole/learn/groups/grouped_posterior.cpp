#include "interpole/learn/groups/grouped_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpole/learn/posterior/coupled_curvature.hpp"
#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::learn {
namespace {

constexpr inference::LikelihoodTerms kActions = {.actions = true, .observations = false};
constexpr inference::LikelihoodTerms kObservations = {.actions = false, .observations = true};

// The prior of what groups have in common, of its coordinates alone.
template <class Evaluate>
class CommonPrior : public optimize::Objective {
 public:
  CommonPrior(int size, Evaluate evaluate) : size_(size), evaluate_(evaluate) {}
  int size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return evaluate_(x, gradient);
  }

 private:
  int size_;
  Evaluate evaluate_;
};

}  // namespace

GroupedPosterior::GroupedPosterior(const std::vector<const inference::Likelihood*>& groups,
                                   const DecisionProblem& problem, const CouplingScales& coupling,
                                   const GroupScales& scales, Measure measure)
    : likelihoods_(groups),
      problem_(problem),
      space_(problem, coupling, scales, static_cast<int>(groups.size())),
      coupling_(problem, space_.common(), {coupling, false}),
      measure_(measure),
      gradient_(Parameters::filled(problem.structure, 0.0)),
      own_(space_.own().size()),
      d_own_(own_.size()),
      agent_y_(std::max(space_.own().agent().size(), space_.common().agent().size())),
      d_agent_(agent_y_.size()) {
  for (const inference::Likelihood* likelihood : likelihoods_)
    workspaces_.push_back(likelihood->make_workspace());
  const std::vector<double> origin(space_.size(), 0.0);
  space_.own_coordinates(origin, 0, own_);
  agent_ = space_.own().agent_point(own_);
  world_ = {space_.own().world_point(own_), agent_.policy};
  const AgentWorld common = agent_world(origin);
  common_agent_ = common.agent.dynamics;
  common_policy_ = common.agent.policy;
  common_world_ = *common.world;
}

double GroupedPosterior::add_common_prior(std::span<const double> common, std::span<double> d_common) {
  const CoupledSpace& space = space_.common();
  const auto agent_y = std::span(agent_y_).first(space.agent().size());
  const auto d_agent = std::span(d_agent_).first(space.agent().size());
  std::fill(d_agent.begin(), d_agent.end(), 0.0);
  space.agent_coordinates(common, agent_y);
  space.agent().point(agent_y, common_agent_);
  space.policy().point(space.policy_part(common), common_policy_);
  space.world().point(space.world_part(common), common_world_);
  const auto d_policy = space.policy_part(d_common);
  const auto d_world = space.world_part(d_common);
  double value = log_prior(space.policy(), problem_.priors, space.policy_part(common), d_policy) +
                 log_prior(space.world(), problem_.priors, common_world_, d_world);
  if (measure_ == Measure::kCoordinates) {
    value += space.policy().log_jacobian(common_policy_, d_policy) +
             space.world().log_jacobian(common_world_, d_world);
  }
  value += coupling_.evaluate(space.gap_part(common), common_agent_, space.gap_part(d_common), d_agent);
  space.pull_back(d_agent, d_common);
  return value;
}

double GroupedPosterior::add_deviation_prior(std::span<const double> y, std::span<double> gradient) const {
  double value = 0.0;
  for (int g = 0; g < space_.group_count(); ++g) {
    for (int d = 0; d < space_.deviation_count(); ++d) {
      const auto& deviation = space_.deviations()[d];
      const double ratio = deviation.scale / deviation.unit;
      const int i = space_.offset_of(g) + d;
      value -= 0.5 * y[i] * y[i] / (ratio * ratio) + std::log(ratio) + 0.5 * std::log(2.0 * std::numbers::pi);
      gradient[i] -= y[i] / (ratio * ratio);
    }
  }
  return value;
}

double GroupedPosterior::add_likelihood(std::span<const double> y, std::span<double> gradient) {
  const CoupledSpace& own = space_.own();
  const auto agent_y = std::span(agent_y_).first(own.agent().size());
  const auto d_agent = std::span(d_agent_).first(own.agent().size());
  value_ = {};
  for (int g = 0; g < space_.group_count(); ++g) {
    space_.own_coordinates(y, g, own_);
    const std::span<const double> at = own_;
    own.agent_coordinates(at, agent_y);
    own.agent().point(agent_y, agent_.dynamics);
    own.policy().point(own.policy_part(at), agent_.policy);
    own.world().point(own.world_part(at), world_.dynamics);
    std::fill(d_own_.begin(), d_own_.end(), 0.0);
    std::fill(d_agent.begin(), d_agent.end(), 0.0);
    const auto done = likelihoods_[g]->evaluate(agent_, kActions, &gradient_, workspaces_[g]);
    value_.impossible_node = done.impossible_node;
    if (value_.impossible_node) return -INFINITY;
    value_.actions += done.actions;
    own.agent().pull_back(agent_.dynamics, gradient_.dynamics, d_agent);
    own.policy().pull_back(agent_.policy, gradient_.policy, own.policy_part(std::span(d_own_)));
    const auto seen = likelihoods_[g]->evaluate(world_, kObservations, &gradient_, workspaces_[g]);
    value_.impossible_node = seen.impossible_node;
    if (value_.impossible_node) return -INFINITY;
    value_.observations += seen.observations;
    own.world().pull_back(world_.dynamics, gradient_.dynamics, own.world_part(std::span(d_own_)));
    own.pull_back(d_agent, d_own_);
    space_.pull_back(d_own_, g, gradient);
  }
  return value_.total();
}

double GroupedPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  log_prior_ = evaluate_prior(y, gradient);
  const double likelihood = add_likelihood(y, gradient);
  return likelihood + log_prior_;
}

double GroupedPosterior::evaluate_prior(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const double value = add_common_prior(space_.common_part(y), space_.common_part(gradient));
  return value + add_deviation_prior(y, gradient);
}

std::vector<double> GroupedPosterior::second_without_deviations(std::span<const double> y,
                                                                const std::function<bool()>& stop) {
  const auto n = static_cast<std::size_t>(size());
  std::vector<double> full(n * n, 0.0);
  for (int g = 0; g < space_.group_count(); ++g) {
    space_.own_coordinates(y, g, own_);
    space_.add_curvature(coupled_likelihood_curvature(*likelihoods_[g], space_.own(), own_, stop), g, full);
  }
  CommonPrior prior(space_.common().size(), [&](std::span<const double> x, std::span<double> gradient) {
    return add_common_prior(x, gradient);
  });
  const auto of_prior = optimize::hessian(prior, space_.common_part(y));
  const auto m = static_cast<std::size_t>(space_.common().size());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) full[i * n + j] += of_prior[i * m + j];
  }
  return full;
}

std::vector<double> GroupedPosterior::second_derivatives(std::span<const double> y,
                                                         const std::function<bool()>& stop) {
  std::vector<double> full = second_without_deviations(y, stop);
  for (int g = 0; g < space_.group_count(); ++g) {
    for (int d = 0; d < space_.deviation_count(); ++d) {
      const auto& deviation = space_.deviations()[d];
      const double ratio = deviation.scale / deviation.unit;
      const auto i = static_cast<std::size_t>(space_.offset_of(g)) + d;
      full[i * size() + i] -= 1.0 / (ratio * ratio);
    }
  }
  return full;
}

SecondOrder GroupedPosterior::without_deviation_prior(std::span<const double> y) {
  SecondOrder result;
  result.gradient.assign(y.size(), 0.0);
  const std::span<double> gradient = result.gradient;
  result.value = add_common_prior(space_.common_part(y), space_.common_part(gradient));
  result.value += add_likelihood(y, gradient);
  result.second = second_without_deviations(y, {});
  return result;
}

AgentWorld GroupedPosterior::agent_world(std::span<const double> y) const {
  const auto common = space_.common_part(y);
  return {space_.common().agent_point(common), space_.common().world_point(common)};
}

AgentWorld GroupedPosterior::of_group(std::span<const double> y, int group) const {
  std::vector<double> own(space_.own().size());
  space_.own_coordinates(y, group, own);
  return {space_.own().agent_point(own), space_.own().world_point(own)};
}

void GroupedPosterior::coordinates(const AgentWorld& agent_world, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  space_.common().coordinates(agent_world, space_.common_part(y));
}

std::vector<std::string> GroupedPosterior::names() const {
  std::vector<std::string> names = space_.common().names();
  for (int g = 0; g < space_.group_count(); ++g) {
    for (const auto& deviation : space_.deviations()) {
      names.push_back(fmt::format("group {}: {}", g + 1, deviation.name));
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
    for (int g = 0; g < space_.group_count(); ++g) {
      std::vector<double> own(size(), 0.0);
      for (int d = 0; d < space_.deviation_count(); ++d) {
        const auto& deviation = space_.deviations()[d];
        if (deviation.cause != GroupCause::kPolicy) continue;
        own[space_.offset_of(g) + d] = direction[deviation.places.front().at];
      }
      if (std::any_of(own.begin(), own.end(), [](double x) { return x != 0.0; }))
        result.push_back(std::move(own));
    }
  }
  return result;
}

}  // namespace interpole::learn
