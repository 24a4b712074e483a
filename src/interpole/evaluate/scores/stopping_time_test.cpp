#include "interpole/evaluate/scores/stopping_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environment.hpp"
#include "interpole/error.hpp"

namespace interpole::evaluate {
namespace {

using ::testing::HasSubstr;

// Sure of its belief (1, 0), it stops with the same probability (below 1/2) at every step: a geometric
// stopping time.
Model memoryless(double stopping_probability) {
  Model model = diag().truth;
  model.agent.dynamics.initial = {1.0, 0.0};
  model.agent.policy.inverse_temperature = 1.0;
  // monitor at distance 0, a stop at squared distance 2·shift², the other stop out of reach
  const double shift = std::sqrt(std::log((1.0 - stopping_probability) / stopping_probability) / 2.0);
  model.agent.policy.means = {1.0, 0.0, 1.0 + shift, -shift, -99.0, 100.0};
  model.world = model.agent.dynamics;
  return model;
}

TEST(StoppingTime, EqualMindsWithCommonNumbersStopTogether) {
  for (const Environment& environment : {diag(), bias(), decision_tree()}) {
    const StoppingTimeError error = stopping_time_error(environment.truth, environment.truth);
    EXPECT_EQ(error.common, 0.0) << environment.name;
    EXPECT_EQ(error.unfinished, 0);
    EXPECT_EQ(error.undefined_because, "");
  }
}

TEST(StoppingTime, IndependentDrawsOfOneMindDifferByChanceAlone) {
  const double p = 0.25;
  const double q = 1.0 - p;
  const double expected = 2.0 * q / (1.0 - q * q);  // E|X − Y|
  const double second_moment = 2.0 * q / (p * p);   // E(X − Y)² = 2 Var X
  constexpr std::int64_t kPatients = 20000;
  const StoppingTimeError error =
      stopping_time_error(memoryless(p), memoryless(p), {.patients = kPatients, .seed = 3});
  const double sd = std::sqrt((second_moment - expected * expected) / kPatients);
  EXPECT_NEAR(*error.independent, expected, 4.0 * sd);
  EXPECT_NEAR(error.mean_of_truth, 1.0 / p, 4.0 * std::sqrt(q / (p * p) / kPatients));
  EXPECT_EQ(error.common, 0.0);
}

// A mind that stops at once against one that stops with probability 1/4 at each step.
TEST(StoppingTime, MeasuresTheDistanceInSteps) {
  Model hasty = memoryless(0.25);
  hasty.agent.policy.means = {-99.0, 100.0, 1.0, 0.0, -99.0, 100.0};
  constexpr std::int64_t kPatients = 20000;
  const StoppingTimeError error =
      stopping_time_error(memoryless(0.25), hasty, {.patients = kPatients, .seed = 4});
  EXPECT_NEAR(*error.independent, 3.0, 4.0 * std::sqrt(12.0 / kPatients));
  EXPECT_EQ(error.mean_of_fit, 1.0);
  EXPECT_NEAR(*error.independent, error.mean_of_truth - 1.0, 1e-12);
  EXPECT_EQ(*error.common, *error.independent);  // τ̂ = 1 either way
}

TEST(StoppingTime, CommonNumbersLeaveOutTheChancePart) {
  const StoppingTimeError error = stopping_time_error(diag().truth, bias().truth);
  EXPECT_GT(*error.common, 0.0);
  EXPECT_LT(*error.common, *error.independent);
}

TEST(StoppingTime, IsFixedByItsSeed) {
  const auto with_seed = [](std::uint64_t seed) {
    return *stopping_time_error(diag().truth, bias().truth, {.seed = seed}).independent;
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(StoppingTime, CountsThoseWhoNeverStop) {
  Model endless = memoryless(0.25);
  endless.agent.policy.means = {1.0, 0.0, -99.0, 100.0, -99.0, 100.0};
  const StoppingTimeError error = stopping_time_error(endless, endless, {.patients = 10, .longest = 50});
  EXPECT_EQ(error.unfinished, 10);
  EXPECT_EQ(error.mean_of_truth, 51.0);
}

TEST(StoppingTime, IsUndefinedWithoutAnythingToStopOrToWatch) {
  Model model = diag().truth;
  model.structure.terminal = {0, 0, 0};
  StoppingTimeError error = stopping_time_error(model, model);
  EXPECT_FALSE(error.independent || error.common);
  EXPECT_EQ(error.undefined_because, "no action ends a record");
  model.structure.terminal = {1, 1, 1};
  error = stopping_time_error(model, model);
  EXPECT_FALSE(error.independent || error.common);
  EXPECT_EQ(error.undefined_because, "every action ends the record at once");
}

TEST(StoppingTime, SaysWhatAModelHoldsImpossible) {
  Model fit = diag().truth;
  fit.agent.dynamics.observation = {1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const StoppingTimeError error = stopping_time_error(diag().truth, fit);
  EXPECT_FALSE(error.independent || error.common);
  EXPECT_THAT(error.undefined_because, HasSubstr("under the model, simulated patient"));
  EXPECT_THAT(error.undefined_because, HasSubstr("\"positive\" after \"monitor\" has probability zero"));
}

TEST(StoppingTime, RefusesNonsense) {
  EXPECT_THROW(StoppingTimeOptions{.patients = 0}.validate(), Error);
  EXPECT_THROW(StoppingTimeOptions{.longest = 0}.validate(), Error);
}

}  // namespace
}  // namespace interpole::evaluate
