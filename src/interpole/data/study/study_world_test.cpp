#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/data/study/study_file_testing.hpp"

namespace interpole::data {
namespace {

using ::testing::HasSubstr;

std::string study_with(const std::string& tables) {
  return R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["negative", "positive"]
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
)" + tables;
}

std::string world_refusal(const std::string& tables) {
  return study_file::refusal_of(study_with(tables));
}

TEST(StudyWorld, IsWhatIsKnownOfBothUnlessStated) {
  const Study study = parse_study(study_with("[known]\ninitial_belief = [0.7, 0.3]\n"), "s.toml");
  EXPECT_FALSE(study.world);
  EXPECT_EQ(study.known_world().initial, (std::vector<double>{0.7, 0.3}));
}

TEST(StudyWorld, StatesRowsOfItsOwnAndKeepsTheOthers) {
  const Study study = parse_study(study_with("[known]\ninitial_belief = [0.7, 0.3]\n"
                                             "[world]\nobservation.test = [[0.9, 0.1], [0.4, 0.6]]\n"),
                                  "s.toml");
  ASSERT_TRUE(study.world);
  EXPECT_EQ(study.known_world().initial, (std::vector<double>{0.7, 0.3}));
  EXPECT_EQ(study.known_world().observation[2], 0.4);
  EXPECT_TRUE(std::isnan(study.known.dynamics.observation[2]));
  EXPECT_TRUE(std::isnan(study.known_world().transition[0]));
}

TEST(StudyWorld, MayDifferFromWhatIsKnownOfTheAgent) {
  const Study study = parse_study(
      study_with("[known]\ninitial_belief = [0.7, 0.3]\n[world]\ninitial_belief = [0.5, 0.5]\n"), "s.toml");
  EXPECT_EQ(study.known.dynamics.initial[0], 0.7);
  EXPECT_EQ(study.known_world().initial[0], 0.5);
}

TEST(StudyWorld, RefusesHalfARow) {
  EXPECT_EQ(world_refusal("[world]\nobservation.test = [[\"?\", \"?\"], [0.4, 0.6]]\n"),
            "accepted");  // a row left open is as if it were not stated
  const std::string three = R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "middle", "high"]
[[actions]]
name = "test"
[world]
observation.test = [[0.2, "?", "?"], [0.4, 0.3, 0.3]]
)";
  const std::string complaint = study_file::refusal_of(three);
  EXPECT_THAT(complaint, HasSubstr("s.toml"));
  EXPECT_THAT(complaint, HasSubstr("observation"));
  EXPECT_THAT(complaint, HasSubstr("state all of it, or none"));
}

TEST(StudyWorld, RefusesWhatOnlyAnAgentHas) {
  EXPECT_THAT(world_refusal("[world]\nmeans.test = [0.5, 0.5]\n"), HasSubstr("means"));
}

}  // namespace
}  // namespace interpole::data
