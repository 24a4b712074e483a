#include "interpole/learn/draws/sample_quality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/random.hpp"

namespace interpole::learn {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SampleQualityTest : public ::testing::Test {
 protected:
  static constexpr int kChains = 4;
  static constexpr int kDraws = 500;
  std::vector<SampledChain> chains_ = std::vector<SampledChain>(kChains);
  DrawColumns columns_ = {{"good", "fixed"}, {}};

  SampleQualityTest() {
    columns_.values.assign(2, std::vector<std::vector<double>>(kChains));
    for (int c = 0; c < kChains; ++c) {
      base::RandomStream random(7, c);
      for (int i = 0; i < kDraws; ++i) {
        SampledDraw draw;
        draw.energy = random.normal();
        draw.accept_stat = 0.8;
        draw.leapfrogs = 3;
        draw.tree_depth = 2;
        chains_[c].draws.push_back(draw);
        columns_.values[0][c].push_back(random.normal());
        columns_.values[1][c].push_back(0.5);
      }
    }
  }

  std::vector<std::string> doubts() const { return judge_draws(chains_, columns_, 10).doubts; }
};

TEST_F(SampleQualityTest, HasNoDoubtsAboutIndependentDraws) {
  const auto quality = judge_draws(chains_, columns_, 10);
  EXPECT_THAT(quality.doubts, IsEmpty());
  ASSERT_EQ(quality.quantities.size(), 1u);  // what is fixed is not sampled
  const auto& good = quality.quantities[0];
  EXPECT_EQ(good.name, "good");
  // 2,000 standard normals: four standard errors.
  EXPECT_NEAR(good.mean, 0.0, 4.0 / std::sqrt(2000.0));
  EXPECT_NEAR(good.sd, 1.0, 4.0 / std::sqrt(4000.0));
  EXPECT_NEAR(good.q05, -1.645, 0.2);
  EXPECT_NEAR(good.q95, 1.645, 0.2);
  EXPECT_EQ(quality.chains[0].leapfrogs, 3 * kDraws);
  EXPECT_NEAR(quality.chains[0].mean_accept, 0.8, 1e-12);
}

TEST_F(SampleQualityTest, DoubtsChainsThatStandApart) {
  for (double& x : columns_.values[0][2]) x += 3.0;
  EXPECT_THAT(doubts(), ElementsAre(AllOf(HasSubstr("R-hat of good"), HasSubstr("several explanations")),
                                    HasSubstr("effective draws")));
}

TEST_F(SampleQualityTest, DoubtsTooFewEffectiveDraws) {
  for (auto& chain : columns_.values[0]) chain.resize(60);
  EXPECT_THAT(doubts(), ElementsAre(AllOf(HasSubstr("effective draws"), HasSubstr("good are 400"),
                                          HasSubstr("option draws"))));
}

TEST_F(SampleQualityTest, DoubtsDrawsTooFewToJudge) {
  for (auto& chain : columns_.values[0]) chain.resize(5);
  for (auto& chain : chains_) chain.draws.resize(5);
  EXPECT_THAT(doubts(), ElementsAre(HasSubstr("too few draws")));
}

TEST_F(SampleQualityTest, DoubtsDivergences) {
  chains_[1].draws[7].divergent = true;
  EXPECT_THAT(doubts(),
              ElementsAre(AllOf(HasSubstr("1 of 2000 draws diverged"), HasSubstr("option target-accept"))));
}

TEST_F(SampleQualityTest, DoubtsPathsThatWereCut) {
  for (int i = 0; i < 30; ++i) chains_[0].draws[i].tree_depth = 10;
  EXPECT_THAT(doubts(), ElementsAre(AllOf(HasSubstr("30 of 2000"), HasSubstr("longest path"))));
}

TEST_F(SampleQualityTest, DoubtsEnergiesThatHardlyChange) {
  for (int i = 0; i < kDraws; ++i) chains_[3].draws[i].energy = 0.01 * i;
  EXPECT_THAT(doubts(), ElementsAre(AllOf(HasSubstr("chain 4"), HasSubstr("E-BFMI"))));
}

}  // namespace
}  // namespace interpole::learn
