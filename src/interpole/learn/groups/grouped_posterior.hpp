// One world, one way to update beliefs, and a policy for each group (site, clinician), tied to a common one:
//
//   Σ_groups Σ log π_g(a|b[agent]) + Σ log c[world] + log p(common policy, world, gaps) + Σ_g log N(policy_g
//   − common; 0, τ²)
//
// in the coordinates [common policy | world | gaps | each group's deviation], a deviation counted in units of
// min(τ, 1) and only in the means: η is common, because the means alone say where boundaries lie. τ = 0: one
// policy for all; τ = ∞: groups that know nothing of each other. Dynamics are coupled with the given scales
// (0: shared, ∞: subjective).
#pragma once

#include <memory>
#include <vector>

#include "interpole/learn/posterior/coupling_prior.hpp"
#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

class GroupedPosterior : public Posterior {
 public:
  // Keeps references to the likelihoods (one for each group's records) and the study.
  GroupedPosterior(const std::vector<const inference::Likelihood*>& groups, const DecisionProblem& problem,
                   const CouplingScales& scales, double spread, Measure measure = Measure::kNatural);
  GroupedPosterior(const GroupedPosterior&) = delete;

  int size() const override { return space_.size() + group_count() * deviations_; }
  int group_count() const { return static_cast<int>(likelihoods_.size()); }
  double evaluate(std::span<const double> y, std::span<double> gradient) override;
  double evaluate_prior(std::span<const double> y, std::span<double> gradient) override;
  // Of the common policy.
  AgentWorld agent_world(std::span<const double> y) const override;
  // Groups start at the common policy.
  void coordinates(const AgentWorld& agent_world, std::span<double> y) const override;
  // A point of the same problem with another spread between groups: the same policies here.
  std::vector<double> moved_here(std::vector<double> y, double spread_there) const;
  std::vector<std::string> names() const override;
  const inference::LikelihoodValue& likelihood_value() const override { return value_; }
  double log_prior_value() const override { return log_prior_; }

  Policy group_policy(std::span<const double> y, int group) const;
  // Unit vectors of the whole space for directions of one policy: in the common policy and in every group.
  std::vector<std::vector<double>> in_every_policy(const std::vector<std::vector<double>>& directions) const;

 private:
  std::span<const double> common_part(std::span<const double> y) const { return y.first(space_.size()); }
  // The policy coordinates of a group.
  void group_coordinates(std::span<const double> y, int group, std::span<double> policy_y) const;
  double add_prior(std::span<const double> y, std::span<double> gradient);
  void set_point(std::span<const double> y);
  int deviation_offset(int group) const { return space_.size() + group * deviations_; }

  std::vector<const inference::Likelihood*> likelihoods_;
  const DecisionProblem& problem_;
  CoupledSpace space_;
  CouplingPrior coupling_;
  Measure measure_;
  double unit_, ratio_;
  std::vector<int> mean_coordinates_;  // of the policy's
  int deviations_ = 0;                 // per group
  std::vector<inference::LikelihoodWorkspace> workspaces_;
  Parameters agent_, world_;
  Parameters gradient_;
  std::vector<double> agent_y_, d_agent_, policy_y_, d_policy_;
  inference::LikelihoodValue value_;
  double log_prior_ = 0.0;
};

}  // namespace interpole::learn
