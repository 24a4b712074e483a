// The records of all groups (sites, clinicians), each with its own point that is tied to a common one:
//
//   Σ_g [Σ log π_g(a|b[agent_g]) + Σ log c[world_g]] + log p(common policy, world, gaps)
//     + Σ_g log N(deviations_g; 0, τ²)
//
// in the coordinates of GroupSpace. Without deviations it is the posterior of all records together. Dynamics
// are coupled with the given scales (0: shared, ∞: subjective).
#pragma once

#include <vector>

#include "interpole/learn/groups/group_space.hpp"
#include "interpole/learn/posterior/coupling_prior.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

// A value with its gradient and second derivatives (n × n).
struct SecondOrder {
  double value = 0.0;
  std::vector<double> gradient, second;
};

class GroupedPosterior : public Posterior {
 public:
  // Keeps references to the likelihoods (one for each group's records) and the problem.
  GroupedPosterior(const std::vector<const inference::Likelihood*>& groups, const DecisionProblem& problem,
                   const CouplingScales& coupling, const GroupScales& scales,
                   Measure measure = Measure::kNatural);
  GroupedPosterior(const GroupedPosterior&) = delete;

  int size() const override { return space_.size(); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;
  double evaluate_prior(std::span<const double> y, std::span<double> gradient) override;
  std::vector<double> second_derivatives(std::span<const double> y,
                                         const std::function<bool()>& stop) override;
  // Everything but the deviations' own density: what a look at other τ can use again.
  SecondOrder without_deviation_prior(std::span<const double> y);
  // Of what groups have in common.
  AgentWorld agent_world(std::span<const double> y) const override;
  // Groups start alike.
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const override;
  std::vector<std::string> names() const override;
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return log_prior_; }

  AgentWorld of_group(std::span<const double> y, int group) const;
  const GroupSpace& space() const { return space_; }
  // Unit vectors of the whole space for directions of one policy: in common and in every group.
  std::vector<std::vector<double>> in_every_policy(const std::vector<std::vector<double>>& directions) const;

 private:
  double add_common_prior(std::span<const double> common, std::span<double> d_common);
  double add_deviation_prior(std::span<const double> y, std::span<double> gradient) const;
  // Adds the gradient; −∞ if the data are impossible.
  double add_likelihood(std::span<const double> y, std::span<double> gradient);
  std::vector<double> second_without_deviations(std::span<const double> y, const std::function<bool()>& stop);

  std::vector<const inference::Likelihood*> likelihoods_;
  const DecisionProblem& problem_;
  GroupSpace space_;
  CouplingPrior coupling_;
  Measure measure_;
  std::vector<inference::LikelihoodWorkspace> workspaces_;
  Parameters agent_, world_, gradient_;
  Dynamics common_agent_, common_world_;
  Policy common_policy_;
  std::vector<double> own_, d_own_, agent_y_, d_agent_;
  inference::LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole::learn
