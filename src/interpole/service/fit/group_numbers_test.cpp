#include "interpole/service/fit/group_numbers.hpp"

#include <gmock/gmock.h>

#include "interpole/belief.hpp"
#include "interpole/environment.hpp"

namespace interpole::service {
namespace {

// Rates are told as people speak of them: who has changed when a typical gap has passed.
TEST(GroupNumbers, OfRatesAreThoseOfATypicalGap) {
  Environment clinic = outpatient_clinic();
  Structure& structure = clinic.truth.structure;
  structure.time->typical = 10.0;
  learn::GroupFit fit;
  for (int draw = 0; draw < 5; ++draw) {
    fit.draws.emplace_back();
    for (const double flares : {0.01, 0.04}) {
      AgentWorld group{clinic.truth.agent, clinic.truth.world};
      const double often = flares * (1.0 + 0.01 * draw);
      const double rates[] = {-often, often, 0.03, -0.03};
      for (const int action : {0, 1}) set_rates(structure, action, rates, *group.world);
      fit.draws.back().push_back(group);
    }
  }
  const auto numbers = numbers_by_group(structure, fit, learn::GroupCause::kPatients, 0.9);
  ASSERT_FALSE(numbers.empty());
  const NumberByGroup& number = numbers.front();
  EXPECT_EQ(number.field, Field::kTransition);
  EXPECT_EQ(number.state, 0);
  EXPECT_EQ(number.outcome, 1);
  EXPECT_NEAR(number.values[1].middle, transition_over(structure, *fit.draws[2][1].world, 0, 10.0)[1], 1e-9);
  EXPECT_THAT(sentence_of(structure, {"north", "south"}, number),
              ::testing::StartsWith("\"quiet\" patients are \"flare\" 10 days after \"see\": 29.2% ["));
}

}  // namespace
}  // namespace interpole::service
