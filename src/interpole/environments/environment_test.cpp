#include "interpole/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Environments, DiagIsThePapers) {
  const Model truth = diag().truth;
  EXPECT_THAT(truth.structure.states, ElementsAre("healthy", "diseased"));
  EXPECT_THAT(truth.structure.actions, ElementsAre("monitor", "declare-healthy", "declare-diseased"));
  EXPECT_THAT(truth.structure.observations, ElementsAre("negative", "positive"));
  EXPECT_THAT(truth.structure.terminal, ElementsAre(0, 1, 1));
  EXPECT_THAT(truth.structure.allowed, ElementsAre(1, 1, 0, 0, 0, 0));
  EXPECT_THAT(truth.agent.dynamics.initial, ElementsAre(0.5, 0.5));
  EXPECT_THAT(truth.agent.dynamics.transition, ElementsAre(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(truth.agent.dynamics.observation, ElementsAre(0.6, 0.4, 0.4, 0.6, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(truth.agent.policy.inverse_temperature, 10.0);
  EXPECT_THAT(truth.agent.policy.means, ElementsAre(0.5, 0.5, 1.3, -0.3, -0.3, 1.3));
  EXPECT_EQ(truth.world, truth.agent.dynamics);
}

TEST(Environments, BiasDiffersFromDiagOnlyInTheMissesTheAgentBelievesIn) {
  Model expected = diag().truth;
  expected.agent.dynamics.observation[2] = 0.2;  // O(negative | monitor, diseased)
  expected.agent.dynamics.observation[3] = 0.8;
  EXPECT_EQ(bias().truth, expected);
}

TEST(Environments, EveryTruthIsAValidModelUnderItsOwnName) {
  for (const std::string& name : environment_names()) {
    const Environment environment = environment_named(name);
    EXPECT_EQ(environment.name, name);
    EXPECT_GT(environment.longest_record, 0);
    EXPECT_TRUE(environment.truth.world.has_value());
    Model checked = environment.truth;
    EXPECT_NO_THROW(validate_and_normalise(checked, name));
  }
}

TEST(Environments, AnUnknownNameListsTheKnownOnes) {
  const std::string complaint = base::complaint_of([&] { environment_named("dig"); }, ErrorKind::kUsage);
  EXPECT_THAT(complaint, HasSubstr("\"dig\""));
  EXPECT_THAT(complaint, HasSubstr("diag, bias, tree"));
}

TEST(Environments, TheWorldIsTheAgentsWhereNoneIsStated) {
  Model model = bias().truth;
  EXPECT_EQ(&world_of(model), &*model.world);
  model.world.reset();
  EXPECT_EQ(&world_of(model), &model.agent.dynamics);
}

}  // namespace
}  // namespace interpole::environments
