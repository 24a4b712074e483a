// Every way a .pomdp file can be wrong, and what is said about it.

#include <gmock/gmock.h>

#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/files/pomdp_file.hpp"

namespace interpole::planning {
namespace {

// Lines 1 to 5.
const std::string kPreamble =
    "discount: 0.9\nvalues: reward\nstates: left right\nactions: listen open\nobservations: hear see\n";
// Lines 6 and 7.
const std::string kTables = "T: * identity\nO: * uniform\n";

void expect_refused(const std::string& text, const std::string& message) {
  EXPECT_EQ(base::complaint_of([&] { parse_pomdp(text, "p.pomdp"); }), message);
}

// After a good file.
void expect_line_refused(const std::string& line, const std::string& message) {
  expect_refused(kPreamble + kTables + line, "p.pomdp:8: " + message);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

const std::string kHowToBegin = "a file begins with discount:, values:, states:, actions: and observations:";

TEST(PomdpFileRefusals, Preamble) {
  expect_refused("", "p.pomdp:1: \"discount:\" is missing; " + kHowToBegin);
  expect_refused("# only a comment\n\n", "p.pomdp:1: \"discount:\" is missing; " + kHowToBegin);
  expect_refused(replaced(kPreamble, "values: reward\n", "") + kTables,
                 "p.pomdp:5: \"values:\" is missing; " + kHowToBegin);
  expect_refused(replaced(kPreamble, "observations: hear see\n", "") + "T: * identity\n",
                 "p.pomdp:5: \"observations:\" is missing; " + kHowToBegin);
  expect_refused(kPreamble + "discount: 0.8\n",
                 "p.pomdp:6: \"discount:\" is given a second time; the first is on line 1");
  expect_refused(replaced(kPreamble, "discount: 0.9\n", "") + "T: * identity\ndiscount: 0.9\n",
                 "p.pomdp:5: \"discount:\" is missing; " + kHowToBegin);
  expect_refused(replaced(kPreamble, "0.9", "1.5"), "p.pomdp:1: a discount of 1.5; it lies between 0 and 1");
  expect_refused(replaced(kPreamble, "0.9", "-0.1"),
                 "p.pomdp:1: a discount of -0.1; it lies between 0 and 1");
  expect_refused(replaced(kPreamble, "0.9", "high"),
                 "p.pomdp:1: \"high\" where the discount belongs; write a number");
  expect_refused(replaced(kPreamble, "discount: 0.9", "discount 0.9"),
                 "p.pomdp:1: \"0.9\" where a colon belongs after \"discount\"");
  expect_refused(replaced(kPreamble, "reward", "profit"),
                 "p.pomdp:2: values: \"profit\"; write reward or cost");
  expect_refused(replaced(kPreamble, "discount", "discuont"),
                 "p.pomdp:1: \"discuont\" begins no statement; did you mean \"discount\"?");
}

TEST(PomdpFileRefusals, Names) {
  expect_refused(replaced(kPreamble, "left right", "left left"),
                 "p.pomdp:3: \"left\" is listed twice among the states");
  expect_refused(
      replaced(kPreamble, "left right", ""),
      "p.pomdp:3: no states are given; write how many there are, or their names (words of the format, "
      "such as T or start, are no names)");
  expect_refused(replaced(kPreamble, "left right", "0"),
                 "p.pomdp:3: states: \"0\" is not a count; write a whole number above 0, or names");
  expect_refused(replaced(kPreamble, "left right", "2.5"),
                 "p.pomdp:3: states: \"2.5\" is not a count; write a whole number above 0, or names");
  expect_refused(replaced(kPreamble, "left right", "1000000000000"),
                 "p.pomdp:3: more than 100000 states; too many to plan with");
  expect_refused(
      replaced(kPreamble, "left right", "90000") + "T: * identity\n",
      "p.pomdp:6: 90000 states, 2 actions and 2 observations make tables of more than 50000000 numbers; "
      "too large to plan with");
  expect_refused(
      replaced(kPreamble, "left right", "left@home"),
      "p.pomdp:3: \"left@home\" is neither a number nor a name; names begin with a letter and go on with "
      "letters, digits, _ and -");
  expect_refused(
      replaced(kPreamble, "left right", std::string("a\0b", 3)),
      "p.pomdp:3: \"a\\x00b\" is neither a number nor a name; names begin with a letter and go on with "
      "letters, digits, _ and -");
}

TEST(PomdpFileRefusals, References) {
  expect_line_refused("T: lisen : left uniform", "there is no action \"lisen\"; did you mean \"listen\"?");
  expect_line_refused("T: xyzzy : left uniform",
                      "there is no action \"xyzzy\"; known are \"listen\", \"open\"");
  expect_line_refused("T: listen : rihgt uniform", "there is no state \"rihgt\"; did you mean \"right\"?");
  expect_line_refused("O: listen : left : heer 1",
                      "there is no observation \"heer\"; did you mean \"hear\"?");
  expect_line_refused("T: 2 identity", "action 2 is out of range; there are 2, numbered from 0");
  expect_line_refused("T: 99999999999999999999 identity",
                      "action 99999999999999999999 is out of range; there are 2, numbered from 0");
  expect_line_refused("T: 0.5 identity", "\"0.5\" where the action belongs; write its name or number");
  expect_line_refused("T: -1 identity", "\"-1\" where the action belongs; write its name or number");
  expect_line_refused("T", "the end of the file where a colon belongs after \"T\"");
  expect_line_refused("R: listen 5", "\"5\" where a colon belongs after \"R: action\"");
}

TEST(PomdpFileRefusals, Start) {
  const auto with = [](const std::string& line) { return kPreamble + line + "\n" + kTables; };
  expect_refused(with("start: 0.5 0.4"),
                 "p.pomdp:6: start: the row sums to 0.9, not to 1; correct its numbers");
  expect_refused(with("start: 0.5 0.25 0.25"), "p.pomdp:6: start: more than 2 numbers follow; remove some");
  expect_refused(with("start: 1.5 -0.5"),
                 "p.pomdp:6: start: 1.5 is not a probability; it lies between 0 and 1");
  expect_refused(with("start: middle"),
                 "p.pomdp:6: there is no state \"middle\"; known are \"left\", \"right\"");
  expect_refused(with("start: 7"), "p.pomdp:6: state 7 is out of range; there are 2, numbered from 0");
  expect_refused(with("start: *"), "p.pomdp:6: \"*\" where the state belongs; write its name or number");
  expect_refused(with("start include:"), "p.pomdp:6: no states are listed; name at least one");
  expect_refused(with("start exclude: left right"), "p.pomdp:6: every state is excluded; leave at least one");
  expect_refused(with("start: uniform\nstart: left"),
                 "p.pomdp:7: \"start\" is given a second time; the first is on line 6");
  expect_refused("start: uniform\n" + kPreamble,
                 "p.pomdp:1: \"start\" needs the states; put \"states:\" above it");
  expect_refused(kPreamble + kTables + "T: open : left reset\nstart: left",
                 "p.pomdp:9: \"start\" must come before the \"reset\" of line 8");
}

TEST(PomdpFileRefusals, Tables) {
  expect_line_refused("T: open : left 0.5 0.4",
                      "T: action \"open\", state \"left\": the row sums to 0.9, not to 1; "
                      "correct its numbers");
  expect_line_refused("O: * : right : hear 0.6",
                      "O: action \"listen\", next state \"right\": the row sums to 1.1, "
                      "not to 1; correct its numbers");
  expect_line_refused("T: open : left : left -0.5", "T: -0.5 is not a probability; it lies between 0 and 1");
  expect_line_refused("T: open : left : left 2", "T: 2 is not a probability; it lies between 0 and 1");
  expect_line_refused("T: open : left : left nan", "\"nan\" where a probability belongs; write a number");
  expect_line_refused("T: open : left : left -inf", "\"-inf\" is not a finite number");
  expect_line_refused("T: open : left : left 1e999", "\"1e999\" is too large or too small for a number");
  expect_line_refused("T: open : left : left 0.5x", "\"0.5x\" is not a finite number");
  expect_line_refused("T: open : left 1",
                      "T: a row: 1 numbers follow, then the end of the file; 2 are needed");
  expect_line_refused("T: open 1 0 0",
                      "T: a matrix: 3 numbers follow, then the end of the file; 4 are needed");
  expect_line_refused("T: open 1 0 0 1 0", "T: a matrix: more than 4 numbers follow; remove some");
  expect_line_refused("T: open : left : left 1 0",
                      "\"0\" begins no statement; is there something too many before it?");
  expect_line_refused("T: open : left : left : left 1", "\":\" where a probability belongs; write a number");
  expect_line_refused("O: open : left reset", "reset is for T: only; it stands for the start belief");
  expect_line_refused("discount: 0.5", "\"discount:\" is given a second time; the first is on line 1");
  expect_refused(kPreamble + "T: listen identity\nO: * uniform\n",
                 "p.pomdp:7: T: action \"open\", state \"left\": nothing is given; add its row");
  expect_refused(kPreamble + "T: * identity\nO: listen uniform\n",
                 "p.pomdp:7: O: action \"open\", next state \"left\": nothing is given; add its row");
  expect_refused(replaced(kPreamble, "hear see", "hear see smell") + "T: * identity\nO: * identity\n",
                 "p.pomdp:7: O: identity needs as many observations as states; there are 3 and 2");
}

TEST(PomdpFileRefusals, Rewards) {
  expect_line_refused("R: open : left 1 2 3",
                      "R: a matrix: 3 numbers follow, then the end of the file; 4 are needed");
  expect_line_refused("R: open : left : right 1",
                      "R: a row: 1 numbers follow, then the end of the file; 2 are needed");
  expect_line_refused("R: open : left : right : see",
                      "the end of the file where a reward belongs; write a number");
  expect_line_refused(
      "R: open : left : right : see 1e308",
      "R: 1e+308 is too large to plan with, 1e+12 is the most; state rewards in a larger unit");
  expect_line_refused("R: open : left : right : see inf", "\"inf\" where a reward belongs; write a number");
  expect_line_refused("R: open : left : right : see 1 2",
                      "\"2\" begins no statement; is there something too many before it?");
}

TEST(PomdpFileRefusals, Files) {
  EXPECT_EQ(base::complaint_of([] { read_pomdp("/nowhere/at/all.pomdp"); }),
            "/nowhere/at/all.pomdp: cannot open it: No such file or directory");
  EXPECT_THAT(base::complaint_of([] { read_pomdp(::testing::TempDir()); }),
              ::testing::HasSubstr("it is a folder; name a file"));
}

}  // namespace
}  // namespace interpole::planning
