#include "interpole/learn/posterior/coupled_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/coupled_curvature.hpp"
#include "interpole/learn/posterior/log_prior.hpp"
#include "interpole/optimize/hessian.hpp"

namespace interpole::learn {
namespace {

constexpr inference::LikelihoodTerms kActionTerms = {.actions = true, .observations = false};
constexpr inference::LikelihoodTerms kObservationTerms = {.actions = false, .observations = true};

// A function of so many coordinates that writes its gradient.
template <class Evaluate>
class FunctionObjective : public optimize::Objective {
 public:
  FunctionObjective(std::size_t size, Evaluate evaluate)
      : size_(static_cast<int>(size)), evaluate_(evaluate) {}
  int size() const override { return size_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    return evaluate_(x, gradient);
  }

 private:
  int size_;
  Evaluate evaluate_;
};

// Value, gradient and second derivatives of a part of the likelihood, put where its coordinates are.
void add_expansion(optimize::Objective& part, const std::vector<std::size_t>& places,
                   LikelihoodExpansion& whole) {
  const std::size_t n = whole.at.size();
  std::vector<double> x(places.size()), gradient(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) x[i] = whole.at[places[i]];
  whole.value += part.evaluate(x, gradient);
  const auto hessian = optimize::hessian(part, x);
  for (std::size_t i = 0; i < places.size(); ++i) {
    whole.gradient[places[i]] += gradient[i];
    for (std::size_t j = 0; j < places.size(); ++j) {
      whole.bend[places[i] * n + places[j]] -= hessian[i * places.size() + j];
    }
  }
}

}  // namespace

CoupledPosterior::CoupledPosterior(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                                   const Coupling& coupling, Measure measure, TiltNormalisers* normalisers)
    : likelihood_(likelihood),
      problem_(problem),
      space_(problem, coupling),
      prior_(problem, space_, coupling, normalisers),
      measure_(measure),
      integrated_(coupling.integrate),
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
  agent_.dynamics.start = world_.dynamics.start;
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
  value_ = likelihood_.evaluate(agent_, kActionTerms, &agent_gradient_, workspace_);
  if (value_.impossible_node) return -INFINITY;
  const inference::LikelihoodValue seen =
      likelihood_.evaluate(world_, kObservationTerms, &world_gradient_, workspace_);
  value_.observations = seen.observations;
  value_.impossible_node = seen.impossible_node;
  if (value_.impossible_node) return -INFINITY;
  log_prior_ = add_prior(y, gradient);
  space_.policy().pull_back(agent_.policy, agent_gradient_.policy, space_.policy_part(gradient));
  space_.world().pull_back(world_.dynamics, world_gradient_.dynamics, space_.world_part(gradient));
  space_.world().pull_back_start(agent_gradient_.dynamics.start, space_.start_part(gradient));
  space_.agent().pull_back(agent_.dynamics, agent_gradient_.dynamics, d_agent_);
  space_.pull_back(d_agent_, gradient);
  return value_.total() + log_prior_;
}

LikelihoodExpansion CoupledPosterior::expand_likelihood(std::span<const double> y) {
  const std::size_t n = y.size();
  const auto policies = static_cast<std::size_t>(space_.policy().size());
  const auto worlds = static_cast<std::size_t>(space_.world().size());
  const auto starts = static_cast<std::size_t>(space_.world().start_size());  // of both
  LikelihoodExpansion result{std::vector<double>(n), 0.0, std::vector<double>(n),
                             std::vector<double>(n * n, 0.0)};
  space_.joint_coordinates(y, result.at);
  std::vector<std::size_t> of_decisions, of_outcomes;
  for (std::size_t i = 0; i < n; ++i) {
    const bool of_world = i >= policies && i < policies + worlds;
    if (of_world) of_outcomes.push_back(i);
    if (!of_world || i >= policies + worlds - starts) of_decisions.push_back(i);
  }
  FunctionObjective decisions(
      of_decisions.size(), [&](std::span<const double> x, std::span<double> gradient) -> double {
        space_.policy().point(x.first(policies), agent_.policy);
        space_.world().point_start(x.subspan(policies, starts), agent_.dynamics.start);
        space_.agent().point(x.subspan(policies + starts), agent_.dynamics);
        const auto value = likelihood_.evaluate(agent_, kActionTerms, &agent_gradient_, workspace_);
        if (value.impossible_node) return -INFINITY;
        space_.policy().pull_back(agent_.policy, agent_gradient_.policy, gradient.first(policies));
        space_.world().pull_back_start(agent_gradient_.dynamics.start, gradient.subspan(policies, starts));
        space_.agent().pull_back(agent_.dynamics, agent_gradient_.dynamics,
                                 gradient.subspan(policies + starts));
        return value.actions;
      });
  add_expansion(decisions, of_decisions, result);
  FunctionObjective outcomes(
      of_outcomes.size(), [&](std::span<const double> x, std::span<double> gradient) -> double {
        space_.world().point(x, world_.dynamics);
        const auto value = likelihood_.evaluate(world_, kObservationTerms, &world_gradient_, workspace_);
        if (value.impossible_node) return -INFINITY;
        space_.world().pull_back(world_.dynamics, world_gradient_.dynamics, gradient);
        return value.observations;
      });
  add_expansion(outcomes, of_outcomes, result);
  return result;
}

std::vector<double> CoupledPosterior::bend_of_likelihood(const LikelihoodExpansion& expansion) const {
  const std::size_t n = expansion.at.size();
  std::vector<double> half(n * n), column(n), result(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    space_.joint_pull_back({&expansion.bend[i * n], n}, {&half[i * n], n});
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) column[i] = half[i * n + j];
    space_.joint_pull_back(column, {&result[j * n], n});
  }
  return result;
}

std::vector<double> CoupledPosterior::prior_hessian(std::span<const double> y) {
  PriorAlone prior(*this);
  return integrated_ ? optimize::hessian(prior, y) : optimize::hessian_by_blocks(prior, y, space_.rows());
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
  std::vector<double> result = coupled_likelihood_curvature(likelihood_, space_, y, stop);
  const std::vector<double> of_prior = prior_hessian(y);
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
