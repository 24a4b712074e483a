#include "interpole/structure.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::model {
namespace {

Structure diagnosis() {
  Structure structure =
      Structure::unrestricted({"healthy", "diseased"}, {"monitor", "declare"}, {"-", "+", "?"});
  structure.make_terminal(1);
  return structure;
}

std::string refusal(const Structure& structure) {
  return base::complaint_of([&] { structure.validate("f"); });
}

TEST(Structure, CountsAndFindsByName) {
  const Structure structure = diagnosis();
  EXPECT_EQ(structure.state_count(), 2);
  EXPECT_EQ(structure.action_count(), 2);
  EXPECT_EQ(structure.observation_count(), 3);
  EXPECT_EQ(structure.find_state("diseased"), 1);
  EXPECT_EQ(structure.find_action("monitor"), 0);
  EXPECT_EQ(structure.find_observation("?"), 2);
  EXPECT_EQ(structure.find_state("monitor"), -1);
  EXPECT_EQ(structure.find_action(""), -1);
  EXPECT_EQ(structure.find_observation("Positive"), -1);
}

TEST(Structure, UnrestrictedAllowsEverythingAndEndsNothing) {
  const Structure structure = Structure::unrestricted({"s"}, {"a", "b"}, {"x", "y"});
  EXPECT_EQ(refusal(structure), "accepted");
  for (int a = 0; a < 2; ++a) {
    EXPECT_FALSE(structure.is_terminal(a));
    for (int z = 0; z < 2; ++z) EXPECT_TRUE(structure.can_yield(a, z));
  }
}

TEST(Structure, ATerminalActionYieldsNothingAndOthersKeepTheirOutcomes) {
  const Structure structure = diagnosis();
  EXPECT_EQ(refusal(structure), "accepted");
  EXPECT_TRUE(structure.is_terminal(1));
  for (int z = 0; z < 3; ++z) {
    EXPECT_TRUE(structure.can_yield(0, z));
    EXPECT_FALSE(structure.can_yield(1, z));
  }
}

TEST(Structure, RefusesBadNames) {
  Structure structure = diagnosis();
  structure.states = {};
  EXPECT_EQ(refusal(structure), "f: states: the list is empty; name at least one");
  structure = diagnosis();
  structure.actions[1] = "monitor";
  EXPECT_EQ(refusal(structure), "f: actions[1]: \"monitor\" is listed twice; remove one");
  structure = diagnosis();
  structure.observations[2] = "";
  EXPECT_EQ(refusal(structure), "f: observations[2]: the name is empty");
}

TEST(Structure, RefusesTooManyNames) {
  std::vector<std::string> states(1001);
  for (std::size_t s = 0; s < states.size(); ++s) states[s] = std::to_string(s);
  EXPECT_EQ(refusal(Structure::unrestricted(states, {"a"}, {"z"})),
            "f: states: 1001 names; at most 1000 are supported");
  states.pop_back();
  EXPECT_EQ(refusal(Structure::unrestricted(states, {"a"}, {"z"})), "accepted");
}

TEST(Structure, RefusesMasksThatDoNotFit) {
  Structure structure = diagnosis();
  structure.allowed.pop_back();
  EXPECT_EQ(refusal(structure), "f: masks do not fit 2 actions and 3 observations");
  structure = diagnosis();
  structure.allowed[3] = 1;
  EXPECT_EQ(refusal(structure),
            "f: action \"declare\" is terminal but lists outcomes; remove one of the two");
  structure = diagnosis();
  structure.allowed.assign(6, 0);
  EXPECT_EQ(refusal(structure),
            "f: action \"monitor\" can yield no outcome; list its outcomes or make it terminal");
}

}  // namespace
}  // namespace interpole::model
