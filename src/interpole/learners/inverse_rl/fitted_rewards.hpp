// A learner whose result is rewards: beliefs by dynamics, and a softmax of what each action is worth.
//
// Where draws of the posterior are kept, predictions are means over them,
//
//   π(a | history) = mean_k π_k(a | b_k(history)),   b(history) = mean_k b_k(history),
//
// which is what the posterior says of the next action. The policy of the mean rewards and dynamics is
// something else: where the posterior is curved, its mean may lie where no draw is and explain nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpole/learners/interpole/fitted_model.hpp"
#include "interpole/learners/inverse_rl/reward_agent.hpp"

namespace interpole::learners {

struct RewardDraw {
  std::optional<Dynamics> dynamics;  // nothing: those of the mean
  std::vector<double> rewards;       // [a·S + s]
};

class FittedRewards : public FittedLearner {
 public:
  // Plans for the mean and for every draw; policies need no planning then. Without draws the mean predicts,
  // as in the paper. `doubt`: empty if the fit converged.
  FittedRewards(const RewardAgent& agent, Dynamics dynamics, const std::vector<double>& rewards,
                const std::vector<RewardDraw>& draws, std::string fit_note, std::string doubt);

  // Both throw an input error if the tree holds an outcome that the dynamics call impossible.
  std::vector<double> policies(const HistoryTree& tree) const override;
  std::optional<std::vector<double>> beliefs(const HistoryTree& tree) const override;

  // initial_belief, transition, observation, rewards[a][s], inverse_temperature, discount, horizon, and
  // next_values: the vectors of the value with one stage less to go, from which q follows by look-ahead. With
  // draws, also planning_points (of more than two states) and draws: rewards of each, and its dynamics where
  // they differ from the mean's.
  std::string to_json() const override;
  std::string fit_note() const override { return fit_note_; }
  bool converged() const override { return doubt_.empty(); }
  std::string doubt() const override { return doubt_; }

  // The posterior mean.
  const std::vector<double>& rewards() const { return mean_.plan.pomdp().reward; }  // [a·S + s]
  const Dynamics& dynamics() const { return mean_.believer->model()->agent.dynamics; }
  std::size_t draw_count() const { return draws_.size(); }

 private:
  friend std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string&, const Structure&,
                                                            const std::string&);
  // A mind: what it believes, and what it plans.
  struct Mind {
    std::shared_ptr<const FittedModel> believer;  // for its beliefs; its policy is not used
    planning::ValueFunction plan;
  };
  // Without planning: `next` are the vectors that were saved. `where`: the file.
  FittedRewards(const RewardAgent& agent, Dynamics dynamics, const std::vector<double>& rewards,
                const planning::AlphaVectors& next, const std::string& where);
  static Mind mind_of(const RewardAgent& agent, Dynamics dynamics, std::span<const double> rewards,
                      const std::string& where);
  static Mind saved_mind(const RewardAgent& agent, Dynamics dynamics, std::span<const double> rewards,
                         const planning::AlphaVectors& next, const std::string& where);
  void add_draw(const RewardDraw& draw, const std::string& where);
  std::vector<double> policies_at(const Mind& mind, const std::vector<double>& beliefs) const;

  RewardAgent agent_;
  Mind mean_;
  std::vector<Mind> draws_;
  std::string fit_note_;
  std::string doubt_;
};

// From what to_json() gave.
std::unique_ptr<FittedLearner> load_fitted_rewards(const std::string& json, const Structure& structure,
                                                   const std::string& where);

}  // namespace interpole::learners
