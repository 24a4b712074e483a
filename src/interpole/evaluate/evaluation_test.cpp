#include "interpole/evaluate/evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/scores/scores_testing.hpp"
#include "interpole/inference/likelihood.hpp"
#include "interpole/simulate.hpp"

namespace interpole::evaluate {
namespace {

// Everything record by record and decision by decision, straight from the definitions.
struct ByHand {
  double actions = 0.0;
  double observations = 0.0;
  double first_actions = 0.0;                      // part of `actions` that is not scored
  std::vector<std::vector<WeightedScore>> scores;  // [action], one entry per scored decision
};

ByHand evaluate_by_hand(const std::vector<Record>& records, const Model& model) {
  const Structure& structure = model.structure;
  const Dynamics& world = world_of(model);
  ByHand result;
  result.scores.resize(structure.actions.size());
  std::vector<double> next(structure.states.size());
  for (const Record& record : records) {
    std::vector<double> belief = model.agent.dynamics.initial;
    std::vector<double> world_belief = world.initial;
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      const auto context = context_after(std::span(record.steps).first(t), record.covariates);
      const auto policy = action_probabilities(structure, model.agent.policy, belief, context);
      result.actions += std::log(policy[step.action]);
      if (t == 0) result.first_actions += std::log(policy[step.action]);
      for (int a = 0; t > 0 && a < structure.action_count(); ++a) {
        result.scores[a].push_back({policy[a], a == step.action ? 1.0 : 0.0, a == step.action ? 0.0 : 1.0});
      }
      if (structure.is_terminal(step.action)) break;
      result.observations +=
          std::log(update_belief(structure, world, step.action, step.observation, world_belief, next));
      world_belief.swap(next);
      update_belief(structure, model.agent.dynamics, step.action, step.observation, belief, next);
      belief.swap(next);
    }
  }
  return result;
}

void expect_same(const std::vector<Record>& records, const Model& model) {
  const Evaluation evaluation =
      evaluate_model(build_history_tree(model.structure.action_count(), records), model);
  const ByHand by_hand = evaluate_by_hand(records, model);
  EXPECT_EQ(evaluation.patients, static_cast<std::int64_t>(records.size()));
  EXPECT_NEAR(*evaluation.log_likelihood.actions, by_hand.actions, 1e-11 * std::abs(by_hand.actions));
  EXPECT_NEAR(*evaluation.log_likelihood.observations, by_hand.observations,
              1e-11 * std::abs(by_hand.observations));
  EXPECT_DOUBLE_EQ(*evaluation.log_likelihood.total,
                   *evaluation.log_likelihood.actions + *evaluation.log_likelihood.observations);
  const double scored = static_cast<double>(by_hand.scores[0].size());
  EXPECT_NEAR(evaluation.matching.log_loss.value(), (by_hand.first_actions - by_hand.actions) / scored,
              1e-11);
  double brier = 0.0;
  double auroc = 0.0;
  double auprc = 0.0;
  const auto actions = by_hand.scores.size();
  for (std::size_t a = 0; a < actions; ++a) {
    EXPECT_NEAR(*evaluation.matching.actions[a].brier, *brier_score(by_hand.scores[a]), 1e-12);
    brier += *brier_score(by_hand.scores[a]) / static_cast<double>(actions);
    auroc += *area_under_roc(by_hand.scores[a]) / static_cast<double>(actions);
    auprc += *average_precision(by_hand.scores[a]) / static_cast<double>(actions);
  }
  EXPECT_EQ(evaluation.matching.decisions, static_cast<std::int64_t>(by_hand.scores[0].size()));
  EXPECT_NEAR(*evaluation.matching.brier, brier, 1e-12);
  EXPECT_NEAR(*evaluation.matching.auroc, auroc, 1e-12);
  EXPECT_NEAR(*evaluation.matching.auprc, auprc, 1e-12);
  EXPECT_FALSE(evaluation.mismatch || evaluation.stopping_time);
}

TEST(Evaluation, MatchesTheDefinitionsDecisionByDecision) {
  const std::vector<Record> records = environments::simulated_records(bias(), 300, 4);
  Model model = bias().truth;
  expect_same(records, model);  // outcomes by the world, actions by the agent
  model.world.reset();
  expect_same(records, model);  // both by the agent
  expect_same(records, environments::random_model(model.structure, 17));
}

TEST(Evaluation, UsesTheWorldForOutcomesOnly) {
  const HistoryTree tree = environments::simulated_tree(bias(), 300, 4);
  const Model with_world = bias().truth;
  Model without = with_world;
  without.world.reset();
  const Evaluation a = evaluate_model(tree, with_world);
  const Evaluation b = evaluate_model(tree, without);
  EXPECT_EQ(*a.log_likelihood.actions, *b.log_likelihood.actions);
  EXPECT_GT(*a.log_likelihood.observations, *b.log_likelihood.observations);
}

TEST(Evaluation, OfTheTruthAgainstItselfHasNoMismatch) {
  const Model truth = decision_tree().truth;
  const Model shuffled = permute_states(truth, {2, 0, 4, 1, 3});
  const HistoryTree tree = environments::simulated_tree(decision_tree(), 500, 4);
  const Evaluation same = evaluate_model(tree, truth, &truth);
  EXPECT_EQ(same.mismatch->belief, 0.0);
  EXPECT_EQ(same.mismatch->policy, 0.0);
  EXPECT_EQ(same.stopping_time->common, 0.0);
  const Evaluation by_name = evaluate_model(tree, truth, &shuffled);  // matched by the states' names
  EXPECT_EQ(by_name.mismatch->belief, 0.0);
  EXPECT_EQ(by_name.mismatch->policy, 0.0);
}

TEST(Evaluation, LeavesOutActionsThatNeverOccur) {
  const std::vector<Record> records = {{"a", {{0, 0}, {0, 1}, {1, kMissing}}}, {"b", {{0, 1}, {0, 0}}}};
  const Evaluation evaluation = evaluate_model(build_history_tree(3, records), diag().truth);
  const auto& actions = evaluation.matching.actions;
  EXPECT_EQ(evaluation.decisions, 5);
  EXPECT_EQ(evaluation.matching.decisions, 3);
  EXPECT_EQ(actions[0].decisions, 2);
  EXPECT_EQ(actions[1].decisions, 1);
  EXPECT_EQ(actions[2].decisions, 0);
  EXPECT_FALSE(actions[2].auroc || actions[2].auprc);
  EXPECT_DOUBLE_EQ(*evaluation.matching.brier, (*actions[0].brier + *actions[1].brier) / 2.0);
  EXPECT_DOUBLE_EQ(*evaluation.matching.auroc, (*actions[0].auroc + *actions[1].auroc) / 2.0);
}

// A ward in which decisions follow every term there is, covariates among them.
TEST(Evaluation, OfAPolicyThatFollowsMoreThanBeliefIsThatOfEachDecisionInItsContext) {
  const Environment clinic = ward();
  std::vector<Record> records;
  for (int patient = 1; patient <= 150; ++patient) records.push_back(simulate_record(clinic, 1, patient));
  const ByHand by_hand = evaluate_by_hand(records, clinic.truth);
  const HistoryTree apart = build_history_tree(3, records, true, RecordClasses::kApart);
  const Evaluation evaluation = evaluate_model(apart, clinic.truth, &clinic.truth);
  EXPECT_NEAR(*evaluation.log_likelihood.actions, by_hand.actions, 1e-11 * std::abs(by_hand.actions));
  EXPECT_NEAR(*evaluation.log_likelihood.observations, by_hand.observations, 1e-9);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(*evaluation.matching.actions[a].brier, *brier_score(by_hand.scores[a]), 1e-12);
    EXPECT_NEAR(*evaluation.matching.actions[a].auroc, *area_under_roc(by_hand.scores[a]), 1e-12);
  }
  EXPECT_NEAR(*evaluation.mismatch->policy, 0.0, 1e-12);
  // What a fit sees is the same: decisions by history and class of records.
  const HistoryTree together = build_history_tree(3, records);
  const inference::Likelihood likelihood(together, clinic.truth.structure);
  auto workspace = likelihood.make_workspace();
  const auto value = likelihood.evaluate(clinic.truth.agent, {}, nullptr, workspace);
  EXPECT_NEAR(value.actions, by_hand.actions, 1e-9 * std::abs(by_hand.actions));
  EXPECT_GT(*evaluation.log_likelihood.actions,
            *evaluate_model(together, clinic.truth).log_likelihood.actions)
      << "covariates that are not known cost something";
}

TEST(Evaluation, WithoutScoredDecisionsHasNoScores) {
  const std::vector<Record> records = {{"a", {{1, kMissing}}}};
  const Evaluation evaluation = evaluate_model(build_history_tree(3, records), diag().truth);
  EXPECT_EQ(evaluation.matching.decisions, 0);
  EXPECT_FALSE(evaluation.matching.brier || evaluation.matching.auroc || evaluation.matching.auprc);
  EXPECT_LT(*evaluation.log_likelihood.actions, 0.0);
  EXPECT_EQ(*evaluation.log_likelihood.observations, 0.0);
}

// 21 questions: one for each replicate of the decisions, and some of those of stopping times.
TEST(Evaluation, StopsBetweenReplicates) {
  const Model truth = diag().truth;
  const HistoryTree tree = environments::simulated_tree(diag(), 100, 4);
  EvaluationOptions options;
  options.bootstrap.replicates = 20;
  for (int questions : {0, 7, 21}) {
    EXPECT_EQ(base::complaint_of(
                  [&] {
                    const base::StopsAfter sink(questions);
                    evaluate_model(tree, truth, &truth, options, sink);
                  },
                  ErrorKind::kInterrupted),
              "stopped before the intervals of the scores were known");
  }
  EXPECT_TRUE(evaluate_model(tree, truth, &truth, options, base::StopsAfter(60)).intervals);
}

TEST(Evaluation, AMissingOutcomeCostsNothing) {
  const std::vector<Record> records = {{"a", {{0, kMissing}, {1, kMissing}}}};
  EXPECT_EQ(evaluate_model(build_history_tree(3, records), diag().truth).log_likelihood.observations, 0.0);
}

TEST(Evaluation, SaysWhoHoldsWhichOutcomeImpossible) {
  const std::vector<Record> records = {{"a", {{0, 0}, {1, kMissing}}},
                                       {"b", {{0, 0}, {0, 1}, {2, kMissing}}}};
  const HistoryTree tree = build_history_tree(3, records);
  const Model fine = diag().truth;
  Model blind = fine;
  blind.agent.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  Model blind_world = fine;
  blind_world.world = blind.agent.dynamics;
  const auto expect_place = [](const Evaluation& evaluation, const std::string& whose) {
    ASSERT_TRUE(evaluation.impossible);
    EXPECT_EQ(evaluation.impossible->whose, whose);
    EXPECT_EQ(evaluation.impossible->step, 2);
    EXPECT_EQ(evaluation.impossible->record, 1);
    EXPECT_EQ(evaluation.impossible->action, 0);
    EXPECT_EQ(evaluation.impossible->observation, 1);
    EXPECT_FALSE(evaluation.mismatch || evaluation.stopping_time || evaluation.matching.brier);
  };
  expect_place(evaluate_model(tree, blind), "the model");
  expect_place(evaluate_model(tree, blind_world), "the model's world");
  expect_place(evaluate_model(tree, fine, &blind), "the truth");
  EXPECT_FALSE(evaluate_model(tree, fine).impossible);
}

}  // namespace
}  // namespace interpole::evaluate
