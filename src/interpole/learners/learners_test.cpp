// What each learner in particular should learn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/interpole/interpole_learner.hpp"
#include "interpole/learners/simple/bc.hpp"
#include "interpole/learners/simple/belief_policy.hpp"
#include "interpole/learners/simple/majority.hpp"
#include "interpole/learners/simple/po_mb_il.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

TEST(Majority, GivesTheShareOfEachAction) {
  const std::vector<Record> records = {{"p", {{0, 0}, {0, 1}, {1, kMissing}}}, {"q", {{0, 0}}}};
  const HistoryTree tree = build_history_tree(3, records);
  const auto fitted =
      majority_learner().fit(tree, testing::bias_study(), {.set = {{"smoothing", 3.0}}}, quiet_sink());
  const std::vector<double> policies = fitted->policies(tree);
  EXPECT_DOUBLE_EQ(policies[0], (3.0 + 1.0) / (4.0 + 3.0));
  EXPECT_DOUBLE_EQ(policies[1], (1.0 + 1.0) / (4.0 + 3.0));
  EXPECT_DOUBLE_EQ(policies[2], (0.0 + 1.0) / (4.0 + 3.0));
  for (int node = 1; node < tree.node_count(); ++node) {
    EXPECT_EQ(policies[static_cast<std::size_t>(node) * 3], policies[0]);
  }
}

TEST(Bc, CountsWhatFollowedEachOutcome) {
  // After a positive result: two declare diseased, one monitors on. At the start all monitor.
  const std::vector<Record> records = {
      {"p", {{0, 1}, {2, kMissing}}}, {"q", {{0, 1}, {2, kMissing}}}, {"r", {{0, 1}, {0, 0}, {1, kMissing}}}};
  const HistoryTree tree = build_history_tree(3, records);
  const auto fitted =
      bc_learner().fit(tree, testing::bias_study(), {.set = {{"smoothing", 1e-9}}}, quiet_sink());
  // A longer history with the same last outcome, and one whose last outcome was never seen after a decision.
  const std::vector<Record> others = {{"s", {{0, 0}, {0, 1}, {0, 0}}}, {"t", {{0, kMissing}, {0, 0}}}};
  const HistoryTree tree_of_others = build_history_tree(3, others);
  const std::vector<double> policies = fitted->policies(tree_of_others);
  const std::vector<std::int32_t> path = tree_of_others.path_of(others[0].steps);
  const auto policy = [&](int node, int action) {
    return policies[static_cast<std::size_t>(node) * 3 + action];
  };
  EXPECT_NEAR(policy(path[0], 0), 1.0, 1e-8);
  EXPECT_NEAR(policy(path[1], 1), 1.0, 1e-8);        // after a negative result
  EXPECT_NEAR(policy(path[2], 2), 2.0 / 3.0, 1e-8);  // after a positive one
  const int unseen = tree_of_others.path_of(others[1].steps)[1];
  EXPECT_NEAR(policy(unseen, 0), 4.0 / 7.0, 1e-8);  // left to all seven decisions
  EXPECT_NEAR(policy(unseen, 2), 2.0 / 7.0, 1e-8);
}

TEST(InterpoleLearner, IsTheFitItWraps) {
  const Study study = testing::bias_study();
  const HistoryTree tree = environments::simulated_tree(bias(), 200, 3);
  for (const DynamicsMode mode : {DynamicsMode::kCoupled, DynamicsMode::kShared, DynamicsMode::kSubjective}) {
    const auto fitted =
        interpole_learner(mode).fit(tree, study, {.seed = 5, .set = {{"restarts", 2}}}, quiet_sink());
    learn::FitOptions options;
    ASSERT_TRUE(interpole_learner(mode).configure_search({.set = {{"restarts", 2}}}, options));
    EXPECT_EQ(options.dynamics, mode);
    EXPECT_EQ(options.restarts, 2);
    options.seed = 5;
    options.uncertainty = false;
    const learn::FitSummary summary = learn::fit(tree, study, options, quiet_sink());
    EXPECT_EQ(fitted->model()->agent, summary.parameters);
    EXPECT_EQ(fitted->model()->world, summary.world);
  }
  learn::FitOptions untouched;
  EXPECT_FALSE(bc_learner().configure_search({}, untouched));
}

TEST(BeliefPolicy, FindsTheBoundariesOfDiagOnTrueBeliefs) {
  const Model truth = diag().truth;
  const HistoryTree tree = environments::simulated_tree(diag(), 2000, 2);
  const BeliefPolicy found = fit_belief_policy(tree, testing::bias_study(), truth.agent.dynamics,
                                               {.restarts = 3, .lbfgs = {}}, quiet_sink());
  EXPECT_TRUE(found.optimize.converged);
  for (std::size_t i = 0; i < truth.agent.policy.means.size(); ++i) {
    EXPECT_NEAR(found.policy.means[i], truth.agent.policy.means[i], 0.05) << i;
  }
}

TEST(PoMbIl, LearnsTheWorldAndNotWhatTheAgentMakesOfIt) {
  // BIAS: the agent believes that 20% are missed, and 40% are.
  const auto fitted = po_mb_il_learner().fit(environments::simulated_tree(bias(), 2000, 1),
                                             testing::bias_study(), {.set = {{"restarts", 4}}}, quiet_sink());
  EXPECT_TRUE(fitted->converged()) << fitted->fit_note();
  EXPECT_NEAR(fitted->model()->agent.dynamics.observation[2], 0.4, 0.03);
}

TEST(PoMbIl, NamesStatesByTheStudysHint) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto fitted =
        po_mb_il_learner().fit(environments::simulated_tree(diag(), 300, 1), testing::bias_study(),
                               {.seed = seed, .set = {{"restarts", 1}}}, quiet_sink());
    const auto& observation = fitted->model()->agent.dynamics.observation;
    EXPECT_GT(observation[3], observation[1]);  // "positive" is likelier in "diseased"
    EXPECT_THAT(fitted->fit_note(), HasSubstr("states named by how likely"));
  }
}

// Without a hint, only the known means say which state is which: names must follow the decisions.
TEST(PoMbIl, NamesStatesByTheDecisionsWhereNothingElseDoes) {
  Study study = testing::bias_study();
  study.labels.reset();
  study.known.policy.means = diag().truth.agent.policy.means;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto fitted = po_mb_il_learner().fit(environments::simulated_tree(diag(), 300, 1), study,
                                               {.seed = seed, .set = {{"restarts", 1}}}, quiet_sink());
    const auto& observation = fitted->model()->agent.dynamics.observation;
    EXPECT_GT(observation[3], observation[1]) << seed;
  }
}

TEST(Learners, RefuseValuesOutsideTheirRange) {
  const HistoryTree tree = environments::simulated_tree(diag(), 10, 1);
  const auto refusal = [&](const Learner& learner, const char* name, double value) -> std::string {
    try {
      learner.fit(tree, testing::bias_study(), {.set = {{name, value}}}, quiet_sink());
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_THAT(refusal(po_mb_il_learner(), "restarts", 2.5),
              HasSubstr("restarts: 2.5 is not a whole number from 1"));
  EXPECT_THAT(refusal(po_mb_il_learner(), "restarts", 0), HasSubstr("0 is not a whole number from 1"));
  EXPECT_THAT(refusal(bc_learner(), "smoothing", 0), HasSubstr("smoothing: 0 is not a number from"));
  EXPECT_THAT(refusal(bc_learner(), "smooting", 1), HasSubstr("did you mean \"smoothing\"?"));
}

}  // namespace
}  // namespace interpole::learners
