#include "interpole/learners/inverse_rl/off_po_irl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/inverse_rl/fitted_rewards.hpp"
#include "interpole/learners/inverse_rl/joint_chain.hpp"
#include "interpole/learners/inverse_rl/reward_sampler.hpp"
#include "interpole/learners/inverse_rl/rewards_testing.hpp"
#include "interpole/sampling/diagnostics.hpp"

namespace interpole::learners {
namespace {

// DIAG with one thing unknown: how often the test misses.
struct OneUnknown {
  Study study = testing::bias_study();
  RewardAgent agent;
  Dynamics dynamics = *diag().truth.world;
  std::vector<double> rewards = {-0.03, -0.03, 0.6, -1.0, -1.0, 0.6};
  HistoryTree tree;

  explicit OneUnknown(int patients) {
    study.known.dynamics.observation[0] = 0.6;
    study.known.dynamics.observation[1] = 0.4;
    agent = {study.structure, 10.0, 0.9, 5, {}};
    tree = build_history_tree(3, testing::records_of_planner(agent, dynamics, rewards, patients, 30, 4));
  }
};

sampling::DrawsDiagnostics diagnose(const std::vector<double>& values) {
  const std::span<const double> one[] = {values};
  return sampling::diagnose_draws(one);
}

// Rewards held: the posterior of the one unknown, summed over a grid of its values.
TEST(JointChain, PathsMoveDrawsFromThePosteriorThatEnumerationGives) {
  const OneUnknown problem(60);
  const learn::StudySpace space(problem.study, DynamicsMode::kShared);
  ASSERT_EQ(space.dynamics().size(), 1);
  const JointTarget target{problem.tree, problem.agent, space.dynamics(), problem.study.priors, 1.0};
  double mass = 0.0;
  double mean = 0.0;
  double square = 0.0;
  double highest = -INFINITY;
  std::vector<double> logs;
  constexpr int kCells = 400;
  for (int i = 0; i < kCells; ++i) {
    const double missed = (i + 0.5) / kCells;
    Dynamics at = problem.dynamics;
    at.observation[2] = missed;
    at.observation[3] = 1.0 - missed;
    const inference::NodeBeliefs beliefs = inference::node_beliefs(problem.tree, problem.agent.structure, at);
    double log_density = log_likelihood(decisions_at_beliefs(problem.tree, beliefs), problem.agent,
                                        problem.agent.plan(at, problem.rewards));
    for (int node = 1; node < problem.tree.node_count(); ++node) {
      log_density +=
          static_cast<double>(problem.tree.passes[node]) * std::log(beliefs.outcome_probability[node]);
    }
    logs.push_back(log_density);
    highest = std::max(highest, log_density);
  }
  for (int i = 0; i < kCells; ++i) {
    const double missed = (i + 0.5) / kCells;
    const double density = std::exp(logs[i] - highest);  // the prior is uniform
    mass += density;
    mean += density * missed;
    square += density * missed * missed;
  }
  mean /= mass;
  const double sd = std::sqrt(square / mass - mean * mean);

  base::RandomStream random(8);
  JointChain chain(target, problem.dynamics, problem.rewards);
  std::vector<double> drawn;
  for (int i = 0; i < 12'000; ++i) {
    chain.move_paths(random);
    drawn.push_back(chain.dynamics().observation[2]);
  }
  const sampling::DrawsDiagnostics quality = diagnose(drawn);
  ASSERT_GT(*quality.ess_bulk, 300.0);
  EXPECT_NEAR(*quality.mean, mean, 4.0 * *quality.mcse_mean);
  EXPECT_NEAR(*quality.sd, sd, 4.0 * *quality.mcse_sd);
}

// Two different samplers of one target must agree: the paper's moves in turn, or trajectories by gradient.
TEST(RewardSampler, HasTheTargetOfThePapersMoves) {
  const OneUnknown problem(40);
  const learn::StudySpace space(problem.study, DynamicsMode::kShared);
  const JointTarget target{problem.tree, problem.agent, space.dynamics(), problem.study.priors, 0.3};
  struct Draws {
    std::vector<double> missed, right, monitor;
    void add(const Dynamics& dynamics, std::span<const double> rewards) {
      missed.push_back(dynamics.observation[2]);
      right.push_back(rewards[2]);
      monitor.push_back(rewards[0]);
    }
  } in_turn, by_gradient;
  base::RandomStream random(9);
  JointChain chain(target, problem.dynamics, problem.rewards);
  sampling::RandomWalk walk(static_cast<int>(chain.rewards().size()), 0.05);
  for (int i = 0; i < 36'000; ++i) {
    chain.move_paths(random);
    const double chance = chain.move_rewards(random, walk);
    if (i < 6000) walk.learn(chain.rewards(), chance);
    if (i >= 6000) in_turn.add(chain.dynamics(), chain.rewards());
  }
  const RewardChainOptions options{
      .chains = 1, .steps = 2000, .prior_sd = 0.3, .prior_sd_in_units = 3.0, .threads = 1};
  const optimize::NormalFit peak =
      highest_peak("off-po-irl", target, problem.dynamics, {problem.rewards}, options, quiet_sink());
  sample_rewards(
      "off-po-irl", target, peak, options,
      [&](const Dynamics& dynamics, std::span<const double> rewards) {
        by_gradient.add(dynamics, rewards);
        return std::vector<double>{dynamics.observation[2]};
      },
      quiet_sink());
  for (const auto quantity : {&Draws::missed, &Draws::right, &Draws::monitor}) {
    const sampling::DrawsDiagnostics a = diagnose(in_turn.*quantity);
    const sampling::DrawsDiagnostics b = diagnose(by_gradient.*quantity);
    ASSERT_GT(std::min(*a.ess_bulk, *b.ess_bulk), 100.0);
    EXPECT_NEAR(*a.mean, *b.mean, 4.0 * std::hypot(*a.mcse_mean, *b.mcse_mean));
    EXPECT_NEAR(*a.sd, *b.sd, 4.0 * std::hypot(*a.mcse_sd, *b.mcse_sd));
  }
}

// Everything unknown and three states: what a walk over the rewards themselves did not manage (R-hat above
// 3).
TEST(OffPoIrl, ChainsAgreeWhereNothingIsKnown) {
  const Study study = testing::open_study(3, 3, 3);
  const Model model = environments::random_model(study.structure, 5);
  const HistoryTree tree =
      build_history_tree(3, testing::random_records(study.structure, model.agent, 400, 8, 3, 0.1));
  const auto fitted = off_po_irl_learner().fit(
      tree, study, {.seed = 1, .threads = 2, .set = {{"restarts", 3}, {"planning-points", 24}}},
      quiet_sink());
  EXPECT_TRUE(fitted->converged()) << fitted->fit_note();
}

TEST(OffPoIrl, IsDrawnToTheAgentsPictureWhereActionsSpeakOfIt) {
  // The agent believes that 20% are missed, and 40% are; one set of dynamics must stand for both.
  const auto fitted =
      off_po_irl_learner().fit(environments::simulated_tree(bias(), 1000, 1), testing::bias_study(),
                               {.seed = 1, .threads = 2, .set = {{"restarts", 3}}}, quiet_sink());
  const double missed = dynamic_cast<const FittedRewards&>(*fitted).dynamics().observation[2];
  EXPECT_LT(missed, 0.37) << fitted->fit_note();
  EXPECT_GT(missed, 0.15);
}

TEST(OffPoIrl, ThePapersChainDrawsDynamicsButHardlyMovesRewards) {
  const auto fitted = off_po_irl_learner().fit(
      environments::simulated_tree(diag(), 100, 1), testing::bias_study(),
      {.seed = 1, .threads = 1, .set = {{"restarts", 3}, {"paper-chain", 1}}}, quiet_sink());
  const auto& rewards = dynamic_cast<const FittedRewards&>(*fitted);
  EXPECT_NEAR(rewards.rewards()[2], 0.25, 0.15);
  EXPECT_NEAR(rewards.dynamics().observation[2], 0.4, 0.1);  // 100 patients: ±0.03, and pulled by the actions
}

}  // namespace
}  // namespace interpole::learners
