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
