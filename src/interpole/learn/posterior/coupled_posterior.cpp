#include "interpole/learn/posterior/coupled_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/coupled_curvature.hpp"
#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::learn {
namespace {

constexpr inference::LikelihoodTerms kActions = {.actions = true, .observations = false};
constexpr inference::LikelihoodTerms kObservations = {.actions = false, .observations = true};

}  // namespace

CoupledPosterior::CoupledPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                                   const Coupling& coupling, Measure measure)
    : likelihood_(likelihood),
      problem_(problem),
      space_(problem, coupling),
      prior_(problem, space_, coupling),
      measure_(measure),
      workspace_(likelihood.make_workspace()),
      agent_gradient_(Parameters::filled(problem.structure, 0.0)),
      world_gradient_(agent_gradient_),
      agent_y_(space_.agent().size()),
      d_agent_(space_.agent().size()) {
  const std::vector<double> origin(space_.size(), 0.0);
  const AgentWorld start = agent_world(origin);
  agent_ = start.agent;
  world_ = {*start.world, start.agent.policy};
}

void CoupledPosterior::set_point(std::span<const double> y) {
  space_.agent_coordinates(y, agent_y_);
  space_.policy().point(space_.policy_part(y), agent_.policy);
  space_.agent().point(agent_y_, agent_.dynamics);
  space_.world().point(space_.world_part(y), world_.dynamics);
}

double CoupledPosterior::add_prior(std::span<const double> y, std::span<double> gradient) {
  const auto d_policy = space_.policy_part(gradient);
  const auto d_world = space_.world_part(gradient);
  double value = log_prior(space_.policy(), problem_.priors, space_.policy_part(y), d_policy) +
                 log_prior(space_.world(), problem_.priors, world_.dynamics, d_world);
  if (measure_ == Measure::kCoordinates) {
    value += space_.policy().log_jacobian(agent_.policy, d_policy) +
             space_.world().log_jacobian(world_.dynamics, d_world);
  }
  return value + prior_.evaluate(space_.gap_part(y), agent_.dynamics, space_.gap_part(gradient), d_agent_);
}

double CoupledPosterior::evaluate(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(d_agent_.begin(), d_agent_.end(), 0.0);
  set_point(y);
  value_ = likelihood_.evaluate(agent_, kActions, &agent_gradient_, workspace_);
  if (value_.impossible_node) return -INFINITY;
  const inference::LikelihoodValue seen =
      likelihood_.evaluate(world_, kObservations, &world_gradient_, workspace_);
  value_.observations = seen.observations;
  value_.impossible_node = seen.impossible_node;
  if (value_.impossible_node) return -INFINITY;
  log_prior_ = add_prior(y, gradient);
  space_.policy().pull_back(agent_.policy, agent_gradient_.policy, space_.policy_part(gradient));
  space_.world().pull_back(world_.dynamics, world_gradient_.dynamics, space_.world_part(gradient));
  space_.agent().pull_back(agent_.dynamics, agent_gradient_.dynamics, d_agent_);
  space_.pull_back(d_agent_, gradient);
  return value_.total() + log_prior_;
}

double CoupledPosterior::evaluate_prior(std::span<const double> y, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(d_agent_.begin(), d_agent_.end(), 0.0);
  set_point(y);
  const double value = add_prior(y, gradient);
  space_.pull_back(d_agent_, gradient);
  return value;
}

std::vector<double> CoupledPosterior::second_derivatives(std::span<const double> y,
                                                         const std::function<bool()>& stop) {
  PriorAlone prior(*this);
  std::vector<double> result = coupled_likelihood_curvature(likelihood_, space_, y, stop);
  const std::vector<double> of_prior = optimize::hessian(prior, y);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += of_prior[i];
  return result;
}

void CoupledPosterior::coordinates(const AgentWorld& agent_world, std::span<double> y) const {
  space_.coordinates(agent_world, y);
}

std::vector<std::string> CoupledPosterior::names() const {
  return space_.names();
}

}  // namespace interpole::learn
