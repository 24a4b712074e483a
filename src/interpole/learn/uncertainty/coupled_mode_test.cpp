#include "interpole/learn/uncertainty/coupled_mode.hpp"

#include <gtest/gtest.h>

#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learn/uncertainty/laplace.hpp"

namespace interpole::learn {
namespace {

class ModeFollowing : public ::testing::Test {
 protected:
  // By a search and an expansion of its own.
  double log_evidence(const CouplingScales& scales) const {
    CoupledPosterior posterior(likelihood_, study_, {scales, false}, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates({testing::bias_parameters(), {}}, y);
    return laplace(posterior, y, {}).log_evidence;
  }

  const Study study_ = testing::bias_study();
  const HistoryTree tree_ = testing::biased_tree(300, 0.4, 3);
  const inference::Likelihood likelihood_{tree_, study_.structure};
  const optimize::LbfgsOptions options_{};
  ModeFollower follower_{likelihood_, study_, options_};
};

TEST_F(ModeFollowing, EndsWithTheEvidenceOfASearch) {
  CoupledMode at = follower_.search(CouplingScales::all(0.3), {testing::bias_parameters(), {}});
  EXPECT_NEAR(at.log_evidence(), log_evidence(CouplingScales::all(0.3)), 0.01);
  for (const double sigma : {1.0, 0.1, 0.0}) {
    at = follower_.follow(CouplingScales::all(sigma), at);
    EXPECT_TRUE(at.mode.proper);
    // The curvature is taken where the likelihood was expanded, up to 0.01 nats below the top.
    EXPECT_NEAR(at.log_evidence(), log_evidence(CouplingScales::all(sigma)), 0.1) << sigma;
  }
}

TEST_F(ModeFollowing, NearbyHypothesesNeedNoData) {
  const CoupledMode at = follower_.search(CouplingScales::all(0.5), {testing::bias_parameters(), {}});
  const int looks = follower_.expansions();
  for (const double sigma : {0.35, 0.7}) {
    const NearbyMode near = follower_.nearby(CouplingScales::all(sigma), at);
    EXPECT_TRUE(near.proper);
    EXPECT_NEAR(near.log_evidence, log_evidence(CouplingScales::all(sigma)), 0.1) << sigma;
  }
  EXPECT_EQ(follower_.expansions(), looks);
}

// From σ = 0.02 the expansion foresees another density at σ = 1 than there is.
TEST_F(ModeFollowing, ClimbsWhereTheExpansionIsOff) {
  const CoupledMode at = follower_.search(CouplingScales::all(0.02), {testing::bias_parameters(), {}});
  const auto far = CouplingScales::all(1.0);
  CoupledPosterior posterior(likelihood_, study_, {far, false}, Measure::kCoordinates);
  const NearbyMode foreseen = mode_nearby(posterior, at.expansion);
  std::vector<double> gradient(foreseen.y.size());
  ASSERT_GT(std::abs(posterior.evaluate(foreseen.y, gradient) - foreseen.log_density), 0.2);
  EXPECT_NEAR(follower_.nearby(far, at).log_evidence, log_evidence(far), 0.5);
  EXPECT_NEAR(follower_.follow(far, at).log_evidence(), log_evidence(far), 0.1);
}

TEST_F(ModeFollowing, WhatIsBelowTheFloorIsNotFollowed) {
  const CoupledMode at = follower_.search(CouplingScales::all(1.0), {testing::bias_parameters(), {}});
  const auto one = CouplingScales::all(0.02);
  int looks = follower_.expansions();
  const double below = follower_.nearby(one, at, at.log_evidence() + 1000.0).log_evidence;
  EXPECT_EQ(follower_.expansions(), looks);
  EXPECT_LT(below, at.log_evidence());
  looks = follower_.expansions();
  follower_.nearby(one, at);
  EXPECT_GT(follower_.expansions(), looks);
}

}  // namespace
}  // namespace interpole::learn
