#include "interpole/planning/files/pomdp_file.hpp"

#include <gmock/gmock.h>

#include "interpole/planning/problems_testing.hpp"

namespace interpole::planning {
namespace {

using testing::diag_problem;
using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using testing::random_pomdp;
using testing::tiger;

const std::string kThreeStates =
    "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go stay\nobservations: x y\n";
const std::string kRest = "T: * uniform\nO: * uniform\n";

std::vector<double> start_of(const std::string& line) {
  return parse_pomdp(kThreeStates + line + "\n" + kRest, "test").start;
}

std::vector<double> transition_of(const std::string& lines) {
  return parse_pomdp(kThreeStates + "start: 0.5 0.25 0.25\nT: * identity\nO: * uniform\n" + lines, "test")
      .transition;
}

std::vector<double> reward_of(const std::string& lines) {
  // From a to b or c, seeing y three times of four in c and never in b.
  return parse_pomdp(
             kThreeStates + "T: * : * : b 0.5\nT: * : * : c 0.5\nO: * : * 1 0\nO: * : c 0.25 0.75\n" + lines,
             "test")
      .reward;
}

TEST(PomdpFile, ReadsTheTiger) {
  const Pomdp pomdp = tiger(0.95);
  EXPECT_THAT(pomdp.states, ElementsAre("tiger-left", "tiger-right"));
  EXPECT_THAT(pomdp.transition, ElementsAre(1, 0, 0, 1, .5, .5, .5, .5, .5, .5, .5, .5));
  EXPECT_THAT(pomdp.observation, ElementsAre(.85, .15, .15, .85, .5, .5, .5, .5, .5, .5, .5, .5));
  EXPECT_THAT(pomdp.reward, ElementsAre(-1, -1, -100, 10, 10, -100));
  EXPECT_THAT(pomdp.start, ElementsAre(0.5, 0.5));
  EXPECT_EQ(pomdp.goal, Goal::kReward);
}

TEST(PomdpFile, StartTakesEveryForm) {
  EXPECT_THAT(start_of(""), Each(DoubleEq(1.0 / 3)));
  EXPECT_THAT(start_of("start: uniform"), Each(DoubleEq(1.0 / 3)));
  EXPECT_THAT(start_of("start: 0.5 0.25\n 0.25"), ElementsAre(0.5, 0.25, 0.25));
  EXPECT_THAT(start_of("start: b"), ElementsAre(0, 1, 0));
  EXPECT_THAT(start_of("start: 2"), ElementsAre(0, 0, 1));
  EXPECT_THAT(start_of("start include: a 2"), ElementsAre(0.5, 0, 0.5));
  EXPECT_THAT(start_of("start exclude: a"), ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(start_of("start  include : b"), ElementsAre(0, 1, 0));
}

TEST(PomdpFile, TransitionsTakeEveryForm) {
  const std::vector<double> identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<double> expected = identity;
  expected.insert(expected.end(), identity.begin(), identity.end());
  EXPECT_EQ(transition_of(""), expected);

  auto one = expected;  // single entries, by name and by number
  one[0] = 0.25;
  one[1] = 0.75;
  EXPECT_EQ(transition_of("T: go : a : a 0.25\nT: 0 : 0 : 1 0.75"), one);

  auto row = expected;
  row[12] = 0.2;
  row[13] = 0.3;
  row[14] = 0.5;
  EXPECT_EQ(transition_of("T: stay : b\n0.2 0.3 0.5"), row);
  EXPECT_EQ(transition_of("T:stay:b 0.2\n\n0.3 # a comment : T\n0.5"), row);

  auto reset = expected;
  reset[3] = 0.5;
  reset[4] = reset[5] = 0.25;
  EXPECT_EQ(transition_of("T: go : b reset"), reset);

  auto both = expected;  // a wildcard fills a row of both actions
  both[6] = both[7] = both[8] = both[15] = both[16] = both[17] = 1.0 / 3;
  EXPECT_EQ(transition_of("T: * : c uniform"), both);

  auto matrix = expected;
  const std::vector<double> cycle = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  std::copy(cycle.begin(), cycle.end(), matrix.begin());
  EXPECT_EQ(transition_of("T: go\n0 1 0\n0 0 1\n1 0 0"), matrix);
  EXPECT_EQ(transition_of("T: go 0 1 0 0 0 1 1 0 0"), matrix);
}

TEST(PomdpFile, LaterLinesOverrideEarlierOnes) {
  const auto T = transition_of("T: go : a uniform\nT: go : a : * 0\nT: go : a : c 1");
  EXPECT_EQ(std::vector(T.begin(), T.begin() + 3), (std::vector<double>{0, 0, 1}));
  EXPECT_THAT(reward_of("R: go : a : * : * 5\nR: * : * : * : * 1"), Each(1.0));
  EXPECT_THAT(reward_of("R: * : * : * : * 1\nR: go : a : * : * 5"), ElementsAre(5, 1, 1, 1, 1, 1));
}

TEST(PomdpFile, RewardsAreMeansOverWhatFollows) {
  EXPECT_THAT(reward_of(""), Each(0.0));
  EXPECT_THAT(reward_of("R: go : * : b : * 4"), ElementsAre(2, 2, 2, 0, 0, 0));
  EXPECT_THAT(reward_of("R: go : a : c : y 8"), ElementsAre(3, 0, 0, 0, 0, 0));  // ½ · ¾ · 8
  EXPECT_THAT(reward_of("R: go : a : * : x 8"), ElementsAre(5, 0, 0, 0, 0, 0));  // (½ + ½ · ¼) · 8
  EXPECT_THAT(reward_of("R: go : b : c\n4 8"), ElementsAre(0, 3.5, 0, 0, 0, 0));
  EXPECT_THAT(reward_of("R: go : b\n9 9\n2 7\n4 8"), ElementsAre(0, 4.5, 0, 0, 0, 0));
  EXPECT_THAT(reward_of("R: go : b : * : * 10\nR: go : b : c : y 2"), ElementsAre(0, 7, 0, 0, 0, 0));
}

TEST(PomdpFile, TakesOrderSpacesAndEndingsAsTheyCome) {
  const Pomdp pomdp = parse_pomdp(
      "\xEF\xBB\xBF# made by hand\r\nobservations : 1\r\nactions: 2 states:\r\nleft\r\nright values:cost\r\n"
      "discount:.5\r\nT:*:*:left 1 T:0:1 0 +1 T:0:0\t1e0 0.0\r\nO:* uniform R:*:*:*:* -2.5E-1",
      "test");
  EXPECT_THAT(pomdp.states, ElementsAre("left", "right"));
  EXPECT_THAT(pomdp.actions, ElementsAre("0", "1"));
  EXPECT_EQ(pomdp.discount, 0.5);
  EXPECT_EQ(pomdp.goal, Goal::kCost);
  EXPECT_THAT(pomdp.transition, ElementsAre(1, 0, 0, 1, 1, 0, 1, 0));
  EXPECT_THAT(pomdp.reward, Each(-0.25));
  EXPECT_EQ(pomdp.gain(0, 0), 0.25);
}

TEST(PomdpFile, DividesOutWhatPrintedDigitsLeave) {
  const auto T = transition_of("T: go : a 0.3333333 0.3333333 0.3333333");
  EXPECT_NEAR(T[0], 1.0 / 3, 1e-15);
}

TEST(PomdpFile, ReadsBackToTheSameBits) {
  for (int seed = 0; seed < 20; ++seed) {
    Pomdp pomdp = random_pomdp(seed, 1 + seed % 5, 1 + seed % 3, 1 + seed % 4, 0.1 + 0.04 * seed);
    if (seed % 2 == 1) pomdp.goal = Goal::kCost;
    // As read: rows may still be off by the rounding of the draw.
    const Pomdp read = parse_pomdp(format_pomdp(pomdp), "test");
    EXPECT_EQ(read, pomdp);
    EXPECT_EQ(format_pomdp(read), format_pomdp(pomdp));
  }
  const std::string path = ::testing::TempDir() + "pomdp_file_test.pomdp";
  write_pomdp(tiger(0.75), path);
  EXPECT_EQ(read_pomdp(path), tiger(0.75));
}

TEST(PomdpFile, CountedNamesStayCounted) {
  const std::string text = "discount: 0.5\nvalues: reward\nstates: 2\nactions: 1\nobservations: 3\n" + kRest;
  const Pomdp pomdp = parse_pomdp(text, "test");
  EXPECT_THAT(format_pomdp(pomdp), HasSubstr("states: 2\n"));
  EXPECT_EQ(parse_pomdp(format_pomdp(pomdp), "test"), pomdp);
}

TEST(PomdpFile, NamesTheFormatLacksAreWrittenPlainly) {
  Pomdp pomdp = tiger(0.9);
  pomdp.states = {"tiger left", "tiger_left"};
  pomdp.actions = {"T", "+", "öffnen"};
  const std::string text = format_pomdp(pomdp);
  EXPECT_THAT(text, HasSubstr("# tiger_left is \"tiger left\"\n"));
  const Pomdp read = parse_pomdp(text, "test");
  EXPECT_THAT(read.states, ElementsAre("tiger_left", "tiger_left_"));
  EXPECT_THAT(read.actions, ElementsAre("action_T", "action__", "action___ffnen"));
  EXPECT_EQ(read.reward, pomdp.reward);
}

TEST(PomdpFile, TerminalActionsAreWrittenAsAnEndState) {
  const Pomdp pomdp = diag_problem();
  EXPECT_EQ(parse_pomdp(format_pomdp(pomdp), "test"), with_end_state(pomdp));
  EXPECT_THAT(format_pomdp(pomdp), HasSubstr("# Actions that end the process lead to the state ended"));
}

}  // namespace
}  // namespace interpole::planning
