#include "interpole/learners/inverse_rl/fitted_rewards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/inverse_rl/off_po_irl.hpp"
#include "interpole/learners/inverse_rl/po_irl.hpp"
#include "interpole/learners/inverse_rl/rewards_testing.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const Learner& learner, const FittedLearner& fitted, const Structure& structure,
                       const std::string& from, const std::string& to) {
  std::string text = fitted.to_json();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  try {
    learner.load(text.replace(at, from.size(), to), structure, "x.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

// Two draws that differ by the names of the states alone: each knows what the test means, their mean knows
// nothing. By hand, after a negative result: belief 0.9, log-odds 2 · (0.9 − 0.1), so 0.832.
TEST(FittedRewards, AverageDrawsThatThePlugInWouldBlur) {
  const Structure structure = Structure::unrestricted({"s", "t"}, {"x", "y"}, {"negative", "positive"});
  const RewardAgent agent{structure, 2.0, 0.9, 1, {}};
  const Dynamics one{{0.5, 0.5}, {1, 0, 0, 1, 1, 0, 0, 1}, {0.9, 0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9}};
  const Dynamics other = permute_states(structure, one, {1, 0});
  Dynamics mean = one;
  std::fill(mean.observation.begin(), mean.observation.end(), 0.5);
  const std::vector<RewardDraw> draws = {{one, {1, 0, 0, 1}}, {other, {0, 1, 1, 0}}};
  const std::vector<Record> records = {{"p", {{0, 0}, {1, kMissing}}}};
  const HistoryTree tree = build_history_tree(2, records);
  const double log_odds = 2.0 * (0.9 - 0.1);

  const FittedRewards plugged_in(agent, mean, {0.5, 0.5, 0.5, 0.5}, {}, "by hand", "");
  EXPECT_NEAR(plugged_in.policies(tree)[2], 0.5, 1e-12);
  const FittedRewards averaged(agent, mean, {0.5, 0.5, 0.5, 0.5}, draws, "by hand", "");
  EXPECT_NEAR(averaged.policies(tree)[2], 1.0 / (1.0 + std::exp(-log_odds)), 1e-12);
  EXPECT_NEAR((*averaged.beliefs(tree))[2], 0.5, 1e-12);  // 0.9 and 0.1: the draws disagree on names
  EXPECT_EQ(averaged.rewards(), (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
}

TEST(FittedRewards, WithOneDrawArePluggedIn) {
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const Dynamics world = *diag().truth.world;
  const FittedRewards plugged_in(testing::diag_agent(), world, testing::kDiagRewards, {}, "by hand", "");
  const FittedRewards averaged(testing::diag_agent(), world, testing::kDiagRewards,
                               {{std::nullopt, testing::kDiagRewards}}, "", "");
  EXPECT_EQ(averaged.policies(tree), plugged_in.policies(tree));
  EXPECT_EQ(averaged.beliefs(tree), plugged_in.beliefs(tree));
}

// Files from before draws were kept hold one set of rewards.
TEST(FittedRewards, WithoutDrawsAreReadAndPluggedIn) {
  const Study study = testing::bias_study();
  const HistoryTree tree = environments::simulated_tree(diag(), 30, 1);
  const FittedRewards plugged_in(testing::diag_agent(), *diag().truth.world, testing::kDiagRewards, {},
                                 "by hand", "");
  const std::string json = plugged_in.to_json();
  EXPECT_EQ(json.find("draws"), std::string::npos);
  EXPECT_EQ(off_po_irl_learner().load(json, study.structure, "old.json")->policies(tree),
            plugged_in.policies(tree));
}

TEST(FittedRewards, OfThePapersChainKeepNoDraws) {
  const auto fitted = po_irl_learner().fit(environments::simulated_tree(diag(), 30, 1), testing::bias_study(),
                                           {.set = {{"paper-chain", 1}, {"restarts", 1}}}, quiet_sink());
  EXPECT_EQ(dynamic_cast<const FittedRewards&>(*fitted).draw_count(), 0U);
}

TEST(FittedRewards, RefuseContentThatDoesNotFit) {
  const Study study = testing::bias_study();
  const auto fitted = po_irl_learner().fit(environments::simulated_tree(diag(), 30, 1), study,
                                           {.set = {{"steps", 60}, {"restarts", 1}}}, quiet_sink());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    return refusal_of(po_irl_learner(), *fitted, study.structure, from, to);
  };
  EXPECT_THAT(refusal("\"discount\":0.9", "\"discount\":1.9"), HasSubstr("x.json: content.discount: 1.9"));
  EXPECT_THAT(refusal("\"horizon\":25", "\"horizon\":2.5"), HasSubstr("content.horizon: 2.5"));
  EXPECT_THAT(refusal("\"rewards\":[", "\"rewards\":[[1,2],"), HasSubstr("content.rewards: 4 entries; 3"));
  EXPECT_THAT(refusal("\"rewards\":", "\"reward\":"), HasSubstr("content.reward: unknown key"));
  EXPECT_THAT(refusal("\"initial_belief\":[0.5,", "\"initial_belief\":[0.6,"),
              HasSubstr("x.json: content: initial_belief"));
  EXPECT_THAT(refusal("\"draws\":[{\"rewards\":[", "\"draws\":[{\"rewards\":[[1,2],"),
              HasSubstr("x.json: content.draws[0].rewards: 4 entries; 3 expected"));
  EXPECT_THAT(refusal("\"draws\":[{", "\"draws\":[{\"reward\":1,"),
              HasSubstr("content.draws[0].reward: unknown key"));
  EXPECT_THAT(refusal("\"draws\":[{", "\"draws\":[{\"initial_belief\":[0.5,0.5],"),
              HasSubstr("content.draws[0].transition: the key is missing"));
  EXPECT_THAT(refusal("\"draws\":[", "\"draws\":[],\"more\":["), HasSubstr("content.more: unknown key"));
}

TEST(FittedRewards, RefuseDrawsThatCannotBePlanned) {
  Study study = testing::open_study(3, 2, 2);
  const Model model = environments::random_model(study.structure, 5);
  const auto records = testing::random_records(study.structure, model.agent, 20, 5, 3, 0.0);
  const auto fitted =
      off_po_irl_learner().fit(build_history_tree(2, records), study,
                               {.set = {{"steps", 50}, {"chains", 1}, {"restarts", 1}}}, quiet_sink());
  const auto refusal = [&](const std::string& from, const std::string& to) {
    return refusal_of(off_po_irl_learner(), *fitted, study.structure, from, to);
  };
  EXPECT_THAT(refusal("\"planning_points\":[[", "\"planning_points\":[[0.5,0.4,0.2],["),
              HasSubstr("x.json: content.planning_points[0]: not a belief"));
  EXPECT_THAT(refusal("\"planning_points\":", "\"planing_points\":"), HasSubstr("planing_points"));
  EXPECT_THAT(refusal("\"draws\":[{\"initial_belief\":[", "\"draws\":[{\"initial_belief\":[1,"),
              HasSubstr("content.draws[0].initial_belief: 4 entries; 3 expected"));
}

}  // namespace
}  // namespace interpole::learners
