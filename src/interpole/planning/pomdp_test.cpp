#include "interpole/planning/pomdp.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::diag_problem;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::random_pomdp;

TEST(Pomdp, TakesOverAModelsDynamics) {
  const Pomdp pomdp = diag_problem();
  EXPECT_THAT(pomdp.terminal, ElementsAre(0, 1, 1));
  EXPECT_THAT(pomdp.start, ElementsAre(0.5, 0.5));
  EXPECT_EQ(pomdp.gain(1, 1), -0.375);
  const auto structure = Structure::unrestricted({"s"}, {"a", "b"}, {"z"});
  const auto mismatched = [&] {
    pomdp_of(structure, Dynamics::filled(structure, 1.0), std::vector{1.0}, 0.9);
  };
  EXPECT_EQ(base::complaint_of(mismatched, ErrorKind::kUsage),
            "1 rewards for 2 actions and 1 states; give 2, one for each pair");
}

TEST(Pomdp, BeliefsMoveAsInTheModel) {
  const Pomdp pomdp = random_pomdp(1, 4, 2, 3, 0.9);
  const auto structure = Structure::unrestricted(pomdp.states, pomdp.actions, pomdp.observations);
  const Dynamics dynamics{pomdp.start, pomdp.transition, pomdp.observation};
  std::vector<double> joint(12);
  std::vector<double> next(4);
  for (int a = 0; a < 2; ++a) {
    joint_outcomes(pomdp, a, pomdp.start, joint);
    for (int z = 0; z < 3; ++z) {
      const double probability = update_belief(structure, dynamics, a, z, pomdp.start, next);
      for (int s = 0; s < 4; ++s) EXPECT_NEAR(joint[4 * z + s], probability * next[s], 1e-15);
    }
  }
}

TEST(Pomdp, AnEndStateTakesInTerminalActions) {
  const Pomdp pomdp = with_end_state(diag_problem());
  EXPECT_NO_THROW(pomdp.validate("test"));
  EXPECT_THAT(pomdp.states, ElementsAre("healthy", "diseased", "ended"));
  EXPECT_THAT(pomdp.terminal, Each(0));
  EXPECT_THAT(pomdp.start, ElementsAre(0.5, 0.5, 0.0));
  for (int a = 0; a < 3; ++a) EXPECT_EQ(pomdp.gain(a, 2), 0.0);
  EXPECT_EQ(pomdp.transition[(1 * 3 + 0) * 3 + 2], 1.0);
  EXPECT_EQ(pomdp.transition[(0 * 3 + 0) * 3 + 0], 1.0);
  EXPECT_EQ(with_end_state(pomdp), pomdp);
}

}  // namespace
}  // namespace interpole::planning
