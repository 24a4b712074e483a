// A learner whose result is rewards: beliefs by dynamics, and a softmax of what each action is worth.
#pragma once

#include <string>
#include <vector>

#include "interpole/baselines/fitted_model.hpp"
#include "interpole/baselines/reward_agent.hpp"

namespace interpole {

class FittedRewards : public FittedLearner {
 public:
  // Plans once; policies need no planning then. `doubt`: empty if the fit converged.
  FittedRewards(const RewardAgent& agent, Dynamics dynamics, std::vector<double> rewards,
                std::string how_it_went, std::string doubt);

  // Both throw an input error if the tree holds an outcome that the dynamics call impossible.
  std::vector<double> policies(const HistoryTree& tree) const override;
  std::optional<std::vector<double>> beliefs(const HistoryTree& tree) const override {
    return believer_.beliefs(tree);
  }

  // initial_belief, transition, observation, rewards[a][s], inverse_temperature, discount, horizon, and
  // next_values: the vectors of the value with one stage less to go, from which q follows by look-ahead.
  std::string to_json() const override;
  std::string how_it_went() const override { return believer_.how_it_went(); }
  bool converged() const override { return believer_.converged(); }
  std::string doubt() const override { return doubt_; }

  const std::vector<double>& rewards() const { return plan_.pomdp().reward; }  // [a·S + s]
  const Dynamics& dynamics() const { return believer_.model()->agent.dynamics; }
  // π at given beliefs [i·S + s]: [i·A + a].
  std::vector<double> policies_at(std::span<const double> beliefs) const;

 private:
  friend std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string&, const Structure&,
                                                            const std::string&);
  FittedRewards(FittedModel believer, ValueFunction plan, double inverse_temperature, int horizon);

  FittedModel believer_;  // for its beliefs; its policy is not used
  ValueFunction plan_;
  double inverse_temperature_;
  int horizon_;
  std::string doubt_;
};

// From what to_json() gave.
std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string& json, const Structure& structure,
                                                   const std::string& where);

}  // namespace interpole
