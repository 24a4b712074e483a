#include "interpole/learners/inverse_rl/po_irl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/inverse_rl/fitted_rewards.hpp"
#include "interpole/learners/inverse_rl/reward_chains.hpp"
#include "interpole/learners/inverse_rl/rewards_testing.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

const FittedRewards& rewards_of(const FittedLearner& fitted) {
  return dynamic_cast<const FittedRewards&>(fitted);
}

TEST(RewardAgent, WeighsDecisionsAsAWalkOverTheRecordsDoes) {
  const auto records = environments::simulated_records(bias(), 150, 3);
  const Dynamics world = *bias().truth.world;
  const RewardAgent agent = testing::diag_agent();
  const planning::ValueFunction plan = agent.plan(world, testing::kDiagRewards);
  double sum = 0.0;
  for (const Record& record : records) {
    std::vector<double> belief = world.initial;
    std::vector<double> next(2);
    for (const Step& step : record.steps) {
      const std::vector<double> q = plan.q(belief);
      double total = 0.0;
      for (const double x : q) total += std::exp(10.0 * (x - q[step.action]));
      sum -= std::log(total);
      if (step.observation == kMissing) continue;
      update_belief(agent.structure, world, step.action, step.observation, belief, next);
      belief = next;
    }
  }
  const HistoryTree tree = build_history_tree(3, records);
  const DecisionTable decisions =
      decisions_at_beliefs(tree, inference::node_beliefs(tree, agent.structure, world));
  EXPECT_NEAR(log_likelihood(decisions, agent, plan), sum, 1e-8 * std::abs(sum));
  // Where states do not change, only the number of results of each kind matters.
  EXPECT_LT(decisions.beliefs.count, static_cast<std::size_t>(tree.node_count()) / 2);
}

// Added to the rewards of a problem without end, φ(s) − γ E φ(s') changes no decision; of 25 stages, hardly.
TEST(RewardAgent, DoesNotNoticeRewardsThatCancelOut) {
  const Dynamics world = *diag().truth.world;
  RewardAgent agent = testing::diag_agent();
  agent.horizon = 200;
  const double phi[] = {0.4, -0.7};
  std::vector<double> shaped = testing::kDiagRewards;
  for (int a = 0; a < 3; ++a) {
    // States stay as they are while monitoring; nothing follows a declaration.
    for (int s = 0; s < 2; ++s) shaped[a * 2 + s] += a == 0 ? phi[s] * (1.0 - agent.discount) : phi[s];
  }
  const planning::BeliefTable beliefs =
      planning::BeliefTable::of(std::vector<double>{0.5, 0.5, 0.9, 0.1, 0.25, 0.75}, 2);
  const auto plain = softmax_policies(beliefs, 10.0, agent.plan(world, testing::kDiagRewards));
  const auto other = softmax_policies(beliefs, 10.0, agent.plan(world, shaped));
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], other[i], 1e-3);
}

TEST(RewardStart, IsTheAuthorsWhereTheStudyStatesStartingMeans) {
  EXPECT_EQ(reward_start(testing::bias_study()), (std::vector<double>{0.0, 0.0, 0.25, -0.375, -0.375, 0.25}));
  EXPECT_EQ(reward_start(testing::open_study(2, 2, 2)), (std::vector<double>(4, 0.0)));
}

// One state, two actions, one stage: the posterior of two rewards, summed over a fine grid.
TEST(PoIrl, DrawsFromThePosteriorThatEnumerationGives) {
  const Study study = testing::open_study(1, 2, 2);
  const std::vector<Record> records = {
      {"a", {{0, 0}, {0, 1}, {1, kMissing}}}, {"b", {{0, 1}, {0, 0}, {0, 0}}}, {"c", {{0, 1}}}};
  constexpr double kOften = 6.0;  // the first action
  constexpr double kRare = 1.0;
  constexpr double kBeta = 2.0;
  constexpr double kPriorSd = 1.5;  // of β r
  double mass = 0.0;
  double mean[2] = {0.0, 0.0};
  for (double u = -8.0; u <= 8.0; u += 0.02) {
    for (double v = -8.0; v <= 8.0; v += 0.02) {
      const double log_odds = std::log1p(std::exp(v - u));
      const double density = std::exp(-0.5 * (u * u + v * v) / (kPriorSd * kPriorSd) - kOften * log_odds +
                                      kRare * (v - u - log_odds));
      mass += density;
      mean[0] += density * u / kBeta;
      mean[1] += density * v / kBeta;
    }
  }
  const auto fitted = po_irl_learner().fit(build_history_tree(2, records), study,
                                           {.seed = 3,
                                            .threads = 1,
                                            .set = {{"inverse-temperature", kBeta},
                                                    {"prior-sd", kPriorSd},
                                                    {"horizon", 1},
                                                    {"steps", 6000},
                                                    {"restarts", 1}}},
                                           quiet_sink());
  EXPECT_TRUE(fitted->converged()) << fitted->fit_note();
  // About 4,000 effective draws of standard deviation 0.7 in all: a standard error of 0.011.
  EXPECT_NEAR(rewards_of(*fitted).rewards()[0], mean[0] / mass, 0.04);
  EXPECT_NEAR(rewards_of(*fitted).rewards()[1], mean[1] / mass, 0.04);
}

// One state, two actions, one stage, and one of them taken three times out of three. By hand: with wide
// priors the log-odds are a half-open affair, their mean far out where the other action hardly exists, yet
// the next decision is the other one with a chance of some percent.
TEST(PoIrl, PredictsWhatThePosteriorSaysNotWhatItsMeanSays) {
  const Study study = testing::open_study(1, 2, 2);
  const std::vector<Record> records = {{"p", {{0, 0}}}};
  constexpr double kPriorSd = 5.0;  // of each β r, and √2 times that of the log-odds
  double mass = 0.0;
  double mean_log_odds = 0.0;
  double chance = 0.0;
  for (double x = -100.0; x <= 100.0; x += 0.01) {
    const double p = 1.0 / (1.0 + std::exp(-x));
    const double density = std::exp(-0.25 * x * x / (kPriorSd * kPriorSd)) * p;
    mass += density;
    mean_log_odds += density * x;
    chance += density * p;
  }
  mean_log_odds /= mass;
  chance /= mass;
  const double of_mean = 1.0 / (1.0 + std::exp(-mean_log_odds));
  ASSERT_NEAR(chance, 0.891, 0.001);
  ASSERT_NEAR(of_mean, 0.996, 0.001);
  const HistoryTree tree = build_history_tree(2, records);
  const LearnerOptions options{
      .seed = 4, .threads = 1, .set = {{"prior-sd", kPriorSd}, {"horizon", 1}, {"restarts", 1}}};
  const auto fitted = po_irl_learner().fit(tree, study, options, quiet_sink());
  EXPECT_EQ(rewards_of(*fitted).draw_count(), kPredictingDraws);
  // The chance has a standard deviation of 0.21 over the posterior: 0.015 over 200 draws.
  EXPECT_NEAR(fitted->policies(tree)[0], chance, 0.05);
  // The mean is still what is reported of the rewards.
  const std::vector<double>& rewards = rewards_of(*fitted).rewards();
  EXPECT_NEAR(rewards[0] - rewards[1], mean_log_odds, 0.8);
}

TEST(PoIrl, RecoversAPlannersPolicyFromItsRecords) {
  const RewardAgent agent = testing::diag_agent();
  const Dynamics world = *diag().truth.world;
  const HistoryTree tree =
      build_history_tree(3, testing::records_of_planner(agent, world, testing::kDiagRewards, 1500, 100, 5));
  const auto fitted = po_irl_learner().fit(tree, testing::bias_study(),
                                           {.seed = 2, .threads = 2, .set = {{"restarts", 3}}}, quiet_sink());
  EXPECT_TRUE(fitted->converged()) << fitted->fit_note();
  const inference::NodeBeliefs beliefs = inference::node_beliefs(tree, agent.structure, world);
  const auto truth = softmax_policies(planning::BeliefTable::of(beliefs.beliefs, 2), 10.0,
                                      agent.plan(world, testing::kDiagRewards));
  const auto found = fitted->policies(tree);
  double sum = 0.0;
  for (int node = 0; node < tree.node_count(); ++node) {
    const auto decisions = static_cast<double>(tree.decisions_at(node));
    for (int a = 0; a < 3; ++a) sum += decisions * std::abs(truth[node * 3 + a] - found[node * 3 + a]);
  }
  // With some 6,000 decisions, probabilities are known to about 0.01.
  EXPECT_LT(sum / static_cast<double>(tree.decisions), 0.03);
}

TEST(PoIrl, ThePapersChainStaysNearItsStart) {
  const auto fitted = po_irl_learner().fit(
      environments::simulated_tree(diag(), 100, 1), testing::bias_study(),
      {.seed = 1, .threads = 1, .set = {{"paper-chain", 1}, {"restarts", 3}}}, quiet_sink());
  EXPECT_THAT(fitted->fit_note(), HasSubstr("1 chain of 1000 steps"));
  EXPECT_FALSE(fitted->converged());  // and says so
  const std::vector<double> start = reward_start(testing::bias_study());
  for (std::size_t i = 0; i < start.size(); ++i) {
    // A thousand steps of 0.001 lead 0.03 away if all are accepted.
    EXPECT_NEAR(rewards_of(*fitted).rewards()[i], start[i], 0.15);
  }
}

TEST(PoIrl, TakesTheTemperatureFromTheStudyUnlessTold) {
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const auto temperature = [&](const Study& study, double asked) {
    const auto fitted = po_irl_learner().fit(
        tree, study, {.set = {{"steps", 60}, {"restarts", 1}, {"inverse-temperature", asked}}}, quiet_sink());
    const std::string json = fitted->to_json();
    const auto at = json.find("\"inverse_temperature\":");
    return std::stod(json.substr(at + 22));
  };
  Study study = testing::bias_study();
  EXPECT_EQ(temperature(study, 0), 10.0);
  EXPECT_EQ(temperature(study, 3), 3.0);
  study.known.policy.inverse_temperature = NAN;
  EXPECT_EQ(temperature(study, 0), 1.0);
}

}  // namespace
}  // namespace interpole::learners
