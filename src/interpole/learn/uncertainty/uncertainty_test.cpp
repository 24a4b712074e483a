#include "interpole/learn/uncertainty/uncertainty.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interpole/learn/posterior/study_testing.hpp"

namespace interpole::learn {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Uncertainty, ComponentsAreSharedOutByTheEvidenceOfModes) {
  EXPECT_THAT(spread_over_modes({-10.0}, 3), ElementsAre(0, 0, 0));
  EXPECT_THAT(spread_over_modes({-10.0, -10.0}, 4), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(spread_over_modes({-12.0, -12.0 + std::log(3.0)}, 4), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(spread_over_modes({-5.0, -5.0 + std::log(0.01)}, 8), Each(0));
}

// Two states of which the prior knows a little: the explanation and its mirror image are nearly equally good.
class TwoExplanations : public ::testing::Test {
 protected:
  TwoExplanations() {
    const Parameters truth{
        {{0.6, 0.4}, {0.95, 0.05, 0.1, 0.9, 0.95, 0.05, 0.1, 0.9}, {0.9, 0.1, 0.2, 0.8, 0.9, 0.1, 0.2, 0.8}},
        {4.0, {1.0, 0.0, 0.0, 1.0}}};
    tree_ = build_history_tree(2, testing::random_records(study_.structure, truth, 400, 6, 3, 0.0));
    study_.priors.concentration.initial = {2.0, 1.0};
    one_ = {truth, {}};
    mirrored_ = permute_states(study_.structure, one_, {1, 0});
  }

  // How many of the draws around these call the first outcome likely in the first state.
  long likely_in_first(const std::vector<AgentWorld>& around) const {
    const inference::Likelihood likelihood(tree_, study_.structure);
    const auto draws = draw_agent_worlds(
        study_, expand(likelihood, study_, DynamicsMode::kShared, around, {}, nullptr, {}, 1), 80, 1);
    return std::ranges::count_if(
        draws, [](const AgentWorld& draw) { return draw.agent.dynamics.observation[0] > 0.5; });
  }

  Study study_ = testing::open_study(2, 2, 2);
  HistoryTree tree_;
  AgentWorld one_, mirrored_;
};

TEST_F(TwoExplanations, AreBothDrawnFrom) {
  EXPECT_EQ(likely_in_first({one_}), 80);
  EXPECT_EQ(likely_in_first({mirrored_}), 0);
  // exp(0.4) to one, from the prior of the starting belief: five components of eight.
  EXPECT_EQ(likely_in_first({one_, mirrored_}), 50);
  EXPECT_EQ(likely_in_first({mirrored_, one_}), 50);
}

TEST_F(TwoExplanations, CountOnceThoughGivenTwice) {
  const inference::Likelihood likelihood(tree_, study_.structure);
  const auto twice = expand(likelihood, study_, DynamicsMode::kShared, {one_, one_}, {}, nullptr, {}, 1);
  EXPECT_EQ(twice.components.size(), 1u);
}

// In coordinates: of one distribution, draw by draw, the same directions.
TEST_F(TwoExplanations, AreDrawnFromMoreWidelyWhereMisfitIsProven) {
  const inference::Likelihood likelihood(tree_, study_.structure);
  Uncertainty uncertainty = expand(likelihood, study_, DynamicsMode::kShared, {one_}, {}, nullptr, {}, 1);
  const StudySpace space(study_, DynamicsMode::kShared);
  const auto draws_of = [&] {
    std::vector<std::vector<double>> result;
    for (const AgentWorld& draw : draw_agent_worlds(study_, uncertainty, 5, 1)) {
      result.emplace_back(space.size());
      space.coordinates(draw.agent, result.back());
    }
    return result;
  };
  const auto narrow = draws_of();
  uncertainty.misfit = 0.21;  // a tenth wider
  const auto wide = draws_of();
  const auto& centre = uncertainty.components.front().laplace.centre;
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    for (std::size_t k = 0; k < centre.size(); ++k)
      EXPECT_NEAR(wide[i][k] - centre[k], 1.1 * (narrow[i][k] - centre[k]), 1e-9);
  }
}

}  // namespace
}  // namespace interpole::learn
