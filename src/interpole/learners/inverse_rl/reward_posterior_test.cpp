#include "interpole/learners/inverse_rl/reward_posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/posterior/study_space.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/inverse_rl/joint_chain.hpp"
#include "interpole/optimize/gradient_check.hpp"
#include "interpole/planning/fixed_points/fixed_points.hpp"

namespace interpole::learners {
namespace {

struct Problem {
  Study study;
  RewardAgent agent;
  HistoryTree tree;
  learn::StudySpace space;
  Dynamics dynamics;
  std::vector<double> rewards;

  Problem(Study of, const std::vector<Record>& records, const RewardAgent& who)
      : study(std::move(of)),
        agent(who),
        tree(build_history_tree(study.structure.action_count(), records)),
        space(study, DynamicsMode::kShared) {
    base::RandomStream random(7);
    std::vector<double> y(space.dynamics().size());
    for (double& x : y) x = 0.7 * random.normal();
    dynamics = space.dynamics().point(y);
    rewards.resize(study.structure.actions.size() * study.structure.states.size());
    for (double& r : rewards) r = random.normal() / agent.inverse_temperature;
  }
  JointTarget target() const { return {tree, agent, space.dynamics(), study.priors, 0.8}; }
};

Problem two_states() {
  Study study = testing::bias_study();
  study.known.dynamics.initial = {NAN, NAN};
  return {study, environments::simulated_records(diag(), 40, 2), {study.structure, 10.0, 0.9, 25, {}}};
}

// Everything to be learned, with masks, missing outcomes and an action that ends the process.
Problem three_states() {
  Study study = testing::open_study(3, 3, 3);
  study.structure.allowed[2] = 0;
  const Model model = environments::random_model(study.structure, 5);
  const auto records = testing::random_records(study.structure, model.agent, 60, 6, 3, 0.2);
  return {study, records, {study.structure, 1.0, 0.9, 15, planning::belief_grid({}, 3, 40)}};
}

// Two ways of computing one posterior: they may differ by the Jacobian of the coordinates alone.
TEST(RewardPosterior, HasTheDensityOfThePapersChain) {
  for (const Problem& problem : {two_states(), three_states()}) {
    RewardPosterior posterior(problem.target());
    const RewardShaping shaping(problem.study.structure, 0.9);
    for (const double factor : {0.2, 1.0, 1.7}) {
      std::vector<double> rewards = problem.rewards;
      for (double& r : rewards) r *= factor;
      const std::vector<double> x = posterior.coordinates(problem.dynamics, rewards);
      std::vector<double> gradient(x.size());
      Dynamics unused = Dynamics::filled(problem.study.structure, 0.0);
      const double log_jacobian =
          shaping.pull_back(problem.dynamics, std::vector<double>(rewards.size(), 0.0),
                            std::vector<double>(rewards.size(), 0.0), gradient, unused);
      EXPECT_NEAR(posterior.evaluate(x, gradient),
                  JointChain(problem.target(), problem.dynamics, rewards).log_density() + log_jacobian, 1e-3);
    }
  }
}

TEST(RewardPosterior, GradientAgreesWithDifferences) {
  for (const Problem& problem : {two_states(), three_states()}) {
    RewardPosterior posterior(problem.target());
    const std::vector<double> x = posterior.coordinates(problem.dynamics, problem.rewards);
    // A short step: the next kink is never far.
    const optimize::GradientCheck check = optimize::check_gradient(posterior, x, 1e-6);
    EXPECT_LT(check.worst_error, 1e-3)
        << "coordinate " << check.worst_coordinate << ": " << check.analytic << " against " << check.numeric;
  }
}

TEST(RewardPosterior, CoordinatesStandForWhatTheyWereMadeOf) {
  const Problem problem = three_states();
  const RewardPosterior posterior(problem.target());
  const std::vector<double> x = posterior.coordinates(problem.dynamics, problem.rewards);
  ASSERT_EQ(static_cast<int>(x.size()), posterior.size());
  const Dynamics dynamics = posterior.dynamics(x);
  for (std::size_t i = 0; i < dynamics.transition.size(); ++i) {
    EXPECT_NEAR(dynamics.transition[i], problem.dynamics.transition[i], 1e-12);
  }
  const std::vector<double> rewards = posterior.rewards(x);
  for (std::size_t i = 0; i < rewards.size(); ++i) EXPECT_NEAR(rewards[i], problem.rewards[i], 1e-12);
}

// With dynamics held, what is left is the rewards' posterior; beliefs need not be worked out again.
TEST(RewardPosterior, WithDynamicsHeldIsTheRewardsAlone) {
  const Problem problem = two_states();
  const model::DynamicsSpace nothing(problem.study.structure, problem.dynamics);
  const JointTarget target{problem.tree, problem.agent, nothing, problem.study.priors, 0.8};
  RewardPosterior posterior(target);
  const DecisionTable decisions = decisions_at_beliefs(
      problem.tree, inference::node_beliefs(problem.tree, problem.study.structure, problem.dynamics));
  std::vector<double> gradient(6);
  std::vector<double> differences;
  for (const double factor : {0.5, 1.0}) {
    std::vector<double> rewards = problem.rewards;
    double expected = 0.0;
    for (double& r : rewards) {
      r *= factor;
      expected -= 0.5 * (r / 0.8) * (r / 0.8);
    }
    expected += log_likelihood(decisions, problem.agent, problem.agent.plan(problem.dynamics, rewards));
    differences.push_back(posterior.evaluate(posterior.coordinates(problem.dynamics, rewards), gradient) -
                          expected);
  }
  EXPECT_NEAR(differences[0], differences[1], 1e-3);
}

TEST(RewardPosterior, IsNowhereThatTheDataAreImpossible) {
  Problem problem = two_states();
  RewardPosterior posterior(problem.target());
  std::vector<double> x = posterior.coordinates(problem.dynamics, problem.rewards);
  x[1] = x[2] = 1e4;  // coordinates of the test's rows: one outcome never occurs in either state
  std::vector<double> gradient(x.size());
  EXPECT_EQ(posterior.evaluate(x, gradient), -INFINITY);
}

// Where no plan could be made to the usual accuracy, nor any number be trusted.
TEST(RewardPosterior, IsNowhereThatRewardsAreBeyondBelief) {
  const Problem problem = two_states();
  RewardPosterior posterior(problem.target());
  std::vector<double> x = posterior.coordinates(problem.dynamics, problem.rewards);
  std::vector<double> gradient(x.size());
  for (const double far : {1e3, 1e200, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    x.back() = far;
    EXPECT_EQ(posterior.evaluate(x, gradient), -INFINITY);
  }
}

}  // namespace
}  // namespace interpole::learners
