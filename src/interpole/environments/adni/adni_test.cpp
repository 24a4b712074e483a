#include "interpole/environments/adni/adni.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interpole/belief.hpp"

namespace interpole::environments {
namespace {

using ::testing::ElementsAre;

const Model& truth() {
  static const Model model = adni().truth;
  return model;
}

double mri_probability(const std::vector<double>& belief) {
  return action_probabilities(truth().structure, truth().agent.policy, belief)[kMri];
}

std::vector<double> after(int action, int outcome, const std::vector<double>& belief) {
  std::vector<double> next(belief.size());
  EXPECT_GT(update_belief(truth().structure, truth().agent.dynamics, action, outcome, belief, next), 0.0);
  return next;
}

TEST(Adni, NamesAreThoseTheStudyDerives) {
  EXPECT_THAT(truth().structure.states, ElementsAre("NL", "MCI", "Dementia"));
  EXPECT_THAT(truth().structure.actions, ElementsAre("no-mri", "mri"));
  EXPECT_THAT(truth().structure.observations,
              ElementsAre("normal | below", "normal | within", "normal | above", "normal | not ordered",
                          "questionable | below", "questionable | within", "questionable | above",
                          "questionable | not ordered", "impaired | below", "impaired | within",
                          "impaired | above", "impaired | not ordered"));
}

TEST(Adni, AVolumeIsSeenExactlyIfAnMriWasOrdered) {
  for (int z = 0; z < truth().structure.observation_count(); ++z) {
    EXPECT_EQ(truth().structure.can_yield(kNoMri, z), hippocampus_of(z) == kNotOrdered);
    EXPECT_EQ(truth().structure.can_yield(kMri, z), hippocampus_of(z) != kNotOrdered);
    EXPECT_EQ(adni_outcome(cdr_of(z), hippocampus_of(z)), z);
  }
}

TEST(Adni, TheBoundaryCrossesTheSidesWhereFigureFourHasIt) {
  EXPECT_NEAR(mri_probability({0.70, 0.30, 0.0}), 0.5, 1e-12);
  EXPECT_NEAR(mri_probability({0.68, 0.0, 0.32}), 0.5, 1e-12);
  EXPECT_NEAR(mri_probability({0.69, 0.15, 0.16}), 0.5, 1e-12);  // it is a line
}

TEST(Adni, ThePolicyIsSoftButClear) {
  EXPECT_NEAR(mri_probability(truth().agent.dynamics.initial), 0.94, 0.005);
  EXPECT_NEAR(mri_probability({1.0, 0.0, 0.0}), 0.23, 0.005);
  EXPECT_NEAR(mri_probability({0.0, 1.0, 0.0}), 0.94, 0.005);
  EXPECT_NEAR(mri_probability({0.0, 0.0, 1.0}), 0.93, 0.005);
}

TEST(Adni, OneNormalRatingLeadsToTheBoundary) {
  const auto belief = after(kNoMri, adni_outcome(0, kNotOrdered), truth().agent.dynamics.initial);
  EXPECT_NEAR(belief[kNormal], 0.71, 0.005);
  EXPECT_NEAR(mri_probability(belief), 0.5, 0.02);
}

TEST(Adni, TheWorldIsSlowerAndTheMriTellsLessThanTheAgentThinks) {
  const Dynamics& agent = truth().agent.dynamics;
  const Dynamics& world = *truth().world;
  for (std::size_t s = 0; s < kAdniStates; ++s) {
    EXPECT_GT(world.transition[s * 4], agent.transition[s * 4]);  // staying, without an MRI
    for (int c = 0; c < kCdrLevels; ++c) {
      const std::size_t z = adni_outcome(c, kNotOrdered);
      EXPECT_EQ(world.observation[s * 12 + z], agent.observation[s * 12 + z]);
    }
  }
  const auto below = [](const Dynamics& dynamics, int state) {
    double sum = 0.0;
    for (int c = 0; c < kCdrLevels; ++c) sum += dynamics.observation[(3 + state) * 12 + adni_outcome(c, 0)];
    return sum;
  };
  EXPECT_NEAR(below(world, kDementia) / below(world, kNormal), 10.0, 1e-9);
  EXPECT_NEAR(below(agent, kDementia) / below(agent, kNormal), 18.0, 1e-9);
}

TEST(Adni, VolumesAgreeWithTheChancesOfTheirLevels) {
  const auto below = [](double x, std::size_t state) {
    return 0.5 * std::erfc((kVolumeMean[state] - x) / kVolumeSpread[state] / std::sqrt(2.0));
  };
  for (std::size_t s = 0; s < kAdniStates; ++s) {
    const double* row = &truth().world->observation[(3 + s) * 12];
    const double normal = row[0] + row[1] + row[2];  // chance of a normal rating: the factors are independent
    const double low = below(kHippocampusMean - kHippocampusSpread / 2.0, s);
    const double high = below(kHippocampusMean + kHippocampusSpread / 2.0, s);
    EXPECT_NEAR(row[0] / normal, low, 0.01);
    EXPECT_NEAR(row[1] / normal, high - low, 0.01);
    EXPECT_NEAR(row[2] / normal, 1.0 - high, 0.01);
  }
}

}  // namespace
}  // namespace interpole::environments
