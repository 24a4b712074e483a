#include "interpole/visit_explanation.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/simulate.hpp"

namespace interpole {
namespace {

using ::testing::HasSubstr;

TEST(VisitExplanation, OfARecordInMemorySaysWhatItsDecisionsSay) {
  const Environment doctor = bias();
  const FitResult fit{doctor.truth, {}, {}, nullptr};
  const Record record = simulate_record(doctor, 1, 7);
  const auto visits = explain_visits(fit, record);
  const auto decisions =
      explain_record(fit.model.structure, outcome_factors(fit.model.structure), fit.model.agent, record.steps)
          .decisions;
  ASSERT_EQ(visits.size(), decisions.size());
  for (std::size_t t = 0; t < visits.size(); ++t) {
    EXPECT_EQ(visits[t].visit, std::to_string(t + 1));
    EXPECT_EQ(visits[t].decision.belief, decisions[t].belief);
    EXPECT_FALSE(visits[t].sentence.empty());
    EXPECT_TRUE(visits[t].belief.empty()) << "a model that does not say how sure it is has no intervals";
  }
}

TEST(VisitExplanation, ReadsDecisionsInTheContextOfTheRecord) {
  const Environment clinic = ward();
  const FitResult fit{clinic.truth, {}, {}, nullptr};
  Record record = simulate_record(clinic, 1, 7);
  ASSERT_EQ(record.covariates.size(), 2u);
  const auto visits = explain_visits(fit, record);
  for (std::size_t t = 0; t < visits.size(); ++t) {
    const auto context = context_after(std::span(record.steps).first(t), record.covariates);
    const auto policy =
        action_probabilities(fit.model.structure, fit.model.agent.policy, visits[t].decision.belief, context);
    EXPECT_NEAR(visits[t].decision.probability, policy[record.steps[t].action], 1e-12);
  }
  record.covariates[0] = record.covariates[0] == 0.0 ? 1.0 : 0.0;
  EXPECT_NE(explain_visits(fit, record)[0].decision.probability, visits[0].decision.probability);
}

TEST(VisitExplanation, RefusesAnOutcomeTheModelCallsImpossible) {
  FitResult fit{bias().truth, {}, {}, nullptr};
  for (std::size_t s = 0; s < 2; ++s) fit.model.agent.dynamics.observation[s * 2] = 1.0;
  for (std::size_t s = 0; s < 2; ++s) fit.model.agent.dynamics.observation[s * 2 + 1] = 0.0;
  EXPECT_THAT(base::complaint_of([&] {
                explain_visits(fit, {"p", {{0, 0}, {0, 1}}});
              }),
              HasSubstr("patient \"p\", step 2: the model calls what followed impossible"));
}

}  // namespace
}  // namespace interpole
