#include "interpole/learners/inverse_rl/fitted_rewards.hpp"

#include <fmt/format.h>

#include <utility>

namespace interpole::learners {
namespace {

std::shared_ptr<const FittedModel> believer_of(const Structure& structure, Dynamics dynamics,
                                               const std::string& where) {
  validate_and_normalise(structure, dynamics, where);
  return std::make_shared<const FittedModel>(
      Model{structure, {std::move(dynamics), Policy::filled(structure, 0.0)}, {}}, "", true);
}

void add(std::vector<double>& sum, const std::vector<double>& x) {
  sum.resize(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
}

}  // namespace

FittedRewards::Mind FittedRewards::mind_of(const RewardAgent& agent, Dynamics dynamics,
                                           std::span<const double> rewards, const std::string& where) {
  auto believer = believer_of(agent.structure, std::move(dynamics), where);
  planning::ValueFunction plan = agent.plan(believer->model()->agent.dynamics, rewards);
  return {std::move(believer), std::move(plan)};
}

FittedRewards::Mind FittedRewards::saved_mind(const RewardAgent& agent, Dynamics dynamics,
                                              std::span<const double> rewards,
                                              const planning::AlphaVectors& next, const std::string& where) {
  auto believer = believer_of(agent.structure, std::move(dynamics), where + ": content");
  auto pomdp = std::make_shared<const planning::Pomdp>(
      planning::pomdp_of(agent.structure, believer->model()->agent.dynamics, rewards, agent.discount));
  return {std::move(believer), planning::ValueFunction(std::move(pomdp), next, next)};
}

FittedRewards::FittedRewards(const RewardAgent& agent, Dynamics dynamics, const std::vector<double>& rewards,
                             const std::vector<RewardDraw>& draws, std::string fit_note, std::string doubt)
    : agent_(agent),
      mean_(mind_of(agent, std::move(dynamics), rewards, "learned dynamics")),
      fit_note_(std::move(fit_note)),
      doubt_(std::move(doubt)) {
  for (const RewardDraw& draw : draws) add_draw(draw, "drawn dynamics");
}

FittedRewards::FittedRewards(const RewardAgent& agent, Dynamics dynamics, const std::vector<double>& rewards,
                             const planning::AlphaVectors& next, const std::string& where)
    : agent_(agent),
      mean_(saved_mind(agent, std::move(dynamics), rewards, next, where)),
      fit_note_("read from " + where) {}

void FittedRewards::add_draw(const RewardDraw& draw, const std::string& where) {
  if (draw.dynamics) {
    draws_.push_back(mind_of(agent_, *draw.dynamics, draw.rewards, where));
  } else {
    draws_.push_back({mean_.believer, agent_.plan(dynamics(), draw.rewards)});
  }
}

std::vector<double> FittedRewards::policies(const HistoryTree& tree) const {
  std::vector<double> beliefs = *mean_.believer->beliefs(tree);
  if (draws_.empty()) return policies_at(mean_, beliefs);
  const FittedModel* believer = mean_.believer.get();
  std::vector<double> result;
  for (const Mind& draw : draws_) {
    if (draw.believer.get() != believer) {
      believer = draw.believer.get();
      beliefs = *believer->beliefs(tree);
    }
    add(result, policies_at(draw, beliefs));
  }
  for (double& p : result) p /= static_cast<double>(draws_.size());
  return result;
}

std::optional<std::vector<double>> FittedRewards::beliefs(const HistoryTree& tree) const {
  const bool same = draws_.empty() || draws_.front().believer == mean_.believer;
  if (same) return mean_.believer->beliefs(tree);
  std::vector<double> result;
  for (const Mind& draw : draws_) add(result, *draw.believer->beliefs(tree));
  for (double& p : result) p /= static_cast<double>(draws_.size());
  return result;
}

std::vector<double> FittedRewards::policies_at(const Mind& mind, const std::vector<double>& beliefs) const {
  return softmax_policies(planning::BeliefTable::of(beliefs, agent_.structure.state_count()),
                          agent_.inverse_temperature, mind.plan);
}

}  // namespace interpole::learners
