#include "interpole/belief.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/random.hpp"

namespace interpole::model {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;

// One rounding per operation, a handful of operations.
constexpr double kRounding = 1e-15;

const Structure kTwoStates = Structure::unrestricted({"h", "d"}, {"wait", "test"}, {"-", "+"});

// wait: 10% fall ill, nobody recovers, outcomes say nothing. test: no change; a negative rules the disease
// out.
const Dynamics kIllness{
    {0.8, 0.2}, {0.9, 0.1, 0.0, 1.0, 1, 0, 0, 1}, {0.5, 0.5, 0.5, 0.5, 0.6, 0.4, 0.0, 1.0}};

std::vector<double> updated(const Dynamics& dynamics, int action, int observation, std::vector<double> belief,
                            double expected_probability) {
  std::vector<double> next(belief.size(), -1.0);
  const double c = update_belief(kTwoStates, dynamics, action, observation, belief, next);
  EXPECT_NEAR(c, expected_probability, kRounding);
  return next;
}

TEST(Belief, TimePassesThenEvidenceSpeaks) {
  // T: (0.72, 0.28); then × (0.5, 0.5), c = 0.5.
  EXPECT_THAT(updated(kIllness, 0, 0, {0.8, 0.2}, 0.5), Pointwise(DoubleNear(kRounding), {0.72, 0.28}));
  // (0.8·0.4, 0.2·1) = (0.32, 0.20), c = 0.52.
  EXPECT_THAT(updated(kIllness, 1, 1, {0.8, 0.2}, 0.52),
              Pointwise(DoubleNear(kRounding), {0.32 / 0.52, 0.20 / 0.52}));
  // (0.8·0.6, 0) : certainty.
  EXPECT_THAT(updated(kIllness, 1, 0, {0.8, 0.2}, 0.48), Pointwise(DoubleNear(kRounding), {1.0, 0.0}));
}

TEST(Belief, BothActionAndStateEnteredChooseTheEvidence) {
  // Everybody falls ill on the way: the outcome's probability is that of the state entered, not of the one
  // left.
  Dynamics dynamics = kIllness;
  dynamics.transition = {0, 1, 0, 1, 1, 0, 0, 1};
  dynamics.observation = {0.9, 0.1, 0.3, 0.7, 0.6, 0.4, 0.0, 1.0};
  EXPECT_THAT(updated(dynamics, 0, 1, {1.0, 0.0}, 0.7), Pointwise(DoubleNear(kRounding), {0.0, 1.0}));
}

TEST(Belief, MissingObservationMovesByTheTransitionAlone) {
  EXPECT_THAT(updated(kIllness, 0, kMissing, {0.8, 0.2}, 1.0),
              Pointwise(DoubleNear(kRounding), {0.72, 0.28}));
  EXPECT_THAT(updated(kIllness, 1, kMissing, {0.3, 0.7}, 1.0), Pointwise(DoubleNear(kRounding), {0.3, 0.7}));
}

TEST(Belief, AMissingObservationIsTheAverageOverAllOutcomes) {
  std::vector<double> average(2, 0.0);
  for (const int z : {0, 1}) {
    std::vector<double> next(2);
    const double c = update_belief(kTwoStates, kIllness, 1, z, std::vector<double>{0.35, 0.65}, next);
    for (int s = 0; s < 2; ++s) average[s] += c * next[s];
  }
  EXPECT_THAT(updated(kIllness, 1, kMissing, {0.35, 0.65}, 1.0), Pointwise(DoubleNear(kRounding), average));
}

TEST(Belief, AnImpossibleOutcomeGivesZeroAndNeverNan) {
  std::vector<double> next(2, -1.0);
  EXPECT_EQ(update_belief(kTwoStates, kIllness, 1, 0, std::vector<double>{0.0, 1.0}, next), 0.0);
  EXPECT_THAT(next, Each(0.0));
}

TEST(Belief, NearlyImpossibleOutcomesStillNormalise) {
  Dynamics dynamics = kIllness;
  dynamics.observation[4] = 1e-300;
  dynamics.observation[6] = 3e-300;
  EXPECT_THAT(updated(dynamics, 1, 0, {0.5, 0.5}, 0.0), Pointwise(DoubleNear(kRounding), {0.25, 0.75}));
}

TEST(Belief, OneStateIsAlwaysCertain) {
  const Structure structure = Structure::unrestricted({"only"}, {"a", "b"}, {"x", "y"});
  const Dynamics dynamics{{1.0}, {1.0, 1.0}, {0.3, 0.7, 1.0, 0.0}};
  std::vector<double> next(1);
  EXPECT_EQ(update_belief(structure, dynamics, 0, 1, std::vector<double>{1.0}, next), 0.7);
  EXPECT_EQ(next[0], 1.0);
  const auto chosen = action_probabilities(structure, {10.0, {1.0, 1.0}}, next);
  EXPECT_THAT(chosen, Each(0.5));
}

TEST(Policy, MatchesTheFormulaWithMeansOffTheSimplex) {
  const Structure structure =
      Structure::unrestricted({"h", "d"}, {"monitor", "healthy", "diseased"}, {"-", "+"});
  const Policy policy{10.0, {0.5, 0.5, 1.3, -0.3, -0.3, 1.3}};
  for (const double healthy : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const std::vector<double> belief = {healthy, 1.0 - healthy};
    std::vector<double> expected(3);
    double total = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double distance =
          std::pow(belief[0] - policy.means[2 * a], 2) + std::pow(belief[1] - policy.means[2 * a + 1], 2);
      total += expected[a] = std::exp(-10.0 * distance);
    }
    for (double& p : expected) p /= total;
    // Exponents reach 34: their rounding, some 34·2⁻⁵², becomes relative error of the probability.
    EXPECT_THAT(action_probabilities(structure, policy, belief), Pointwise(DoubleNear(1e-13), expected));
  }
}

TEST(Policy, EquallyDistantMeansAreEquallyLikely) {
  const auto chosen =
      action_probabilities(kTwoStates, {50.0, {1.3, -0.3, -0.3, 1.3}}, std::vector<double>{0.5, 0.5});
  EXPECT_THAT(chosen, Each(DoubleNear(0.5, 1e-12)));
}

TEST(Policy, HugeInverseTemperatureIsAStableArgmax) {
  for (const double eta : {1e3, 1e10, 1e100}) {
    const auto chosen =
        action_probabilities(kTwoStates, {eta, {1.3, -0.3, -0.3, 1.3}}, std::vector<double>{0.9, 0.1});
    EXPECT_EQ(chosen[0], 1.0) << eta;
    EXPECT_EQ(chosen[1], 0.0) << eta;
  }
}

TEST(Policy, TheLargestNumbersAFileMayHoldGiveProbabilities) {
  const auto chosen = action_probabilities(kTwoStates, {1e100, {1e100, -1e100, -1e100, 1e100}},
                                           std::vector<double>{0.9, 0.1});
  double sum = 0.0;
  for (const double p : chosen) {
    EXPECT_TRUE(std::isfinite(p));
    sum += p;
  }
  EXPECT_NEAR(sum, 1.0, kRounding);
}

TEST(Policy, TinyInverseTemperatureIsNearlyIndifferent) {
  const auto chosen =
      action_probabilities(kTwoStates, {1e-12, {1.3, -0.3, -0.3, 1.3}}, std::vector<double>{0.9, 0.1});
  EXPECT_THAT(chosen, Each(DoubleNear(0.5, 1e-11)));
}

TEST(Kinds, AreLikelierTheMoreTheyWouldHaveDecidedSo) {
  const Structure structure = Structure::unrestricted({"well", "ill"}, {"wait", "treat"}, {"low", "high"});
  const Policy policy{4.0, {0.9, 0.1, 0.1, 0.9}, {}, {{0.25, 4.0, {1.4, -0.4, 0.5, 0.5}}}};
  const std::vector<double> belief = {0.6, 0.4};
  const auto first = action_probabilities(structure, policy.of_kind(0), belief);
  const auto second = action_probabilities(structure, policy.of_kind(1), belief);
  const auto mixed = action_probabilities(structure, policy, belief, DecisionContext{});
  std::vector<double> logs(2);
  log_action_probabilities(structure, policy, belief, {}, logs);
  for (int a = 0; a < 2; ++a) {
    EXPECT_NEAR(mixed[a], 0.75 * first[a] + 0.25 * second[a], 1e-15);
    EXPECT_NEAR(logs[a], std::log(mixed[a]), 1e-14);
  }
  std::vector<double> kinds = policy.kind_shares();
  DecisionContext context;
  context.kinds = kinds;
  kinds_after_decision(structure, policy, belief, context, 1, kinds);
  EXPECT_NEAR(kinds[1], 0.25 * second[1] / mixed[1], 1e-15);
  EXPECT_NEAR(kinds[0] + kinds[1], 1.0, 1e-15);
  // Of belief alone and the commonest kind.
  EXPECT_EQ(action_probabilities(structure, policy, belief), first);
}

}  // namespace
}  // namespace interpole::model
