#include <gtest/gtest.h>

#include "interpole/evaluate/evaluation.hpp"
#include "interpole/scores.hpp"
#include "interpole/simulate.hpp"

namespace interpole::evaluate {
namespace {

TEST(ScoreFit, GivesTheScoresOfTheEvaluation) {
  const Environment doctor = bias();
  std::vector<Record> records;
  for (int patient = 1; patient <= 80; ++patient) records.push_back(simulate_record(doctor, 1, patient));
  const FitResult fit{doctor.truth, {}, {}, nullptr};
  const Scores scores = score_fit(fit, records, &doctor.truth);
  const Evaluation expected = evaluate_model(tree_of_records(doctor.truth.structure, records), doctor.truth);
  EXPECT_EQ(scores.decisions, expected.decisions);
  EXPECT_EQ(scores.log_loss, expected.matching.log_loss);
  EXPECT_EQ(scores.auroc, expected.matching.auroc);
  EXPECT_EQ(scores.log_likelihood_of_actions, expected.log_likelihood.actions);
  EXPECT_EQ(scores.belief_mismatch, 0.0);
  EXPECT_FALSE(score_fit(fit, records).belief_mismatch);
}

}  // namespace
}  // namespace interpole::evaluate
