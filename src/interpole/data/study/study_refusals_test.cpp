// What a study file is refused for, and in which words.

#include <gmock/gmock.h>

#include "interpole/data/study/study_file_testing.hpp"

namespace interpole::data {
namespace {

using study_file::head_with;
using study_file::refusal;
using study_file::refusal_of;
using testing::HasSubstr;

TEST(StudyRefusal, NamesLineAndColumnOfBadToml) {
  EXPECT_THAT(refusal("x = = 1\n"), HasSubstr("s.toml:13:5: "));
  EXPECT_THAT(refusal("x = = 1\n"), HasSubstr("correct the TOML syntax there"));
  EXPECT_THAT(refusal("[known]\n[known]\n"), HasSubstr("s.toml:14:"));
  EXPECT_THAT(refusal("x = \"\xff\"\n"), HasSubstr("s.toml:13:"));
  EXPECT_THAT(refusal("x = t\x01\n"), HasSubstr("saw 't\\u0001'"));
  EXPECT_THAT(refusal("[{x]\n"), HasSubstr("saw '{'"));
}

TEST(StudyRefusal, OfTextsThatEndForDuckdbBeforeTheyEnd) {
  for (const char* text : {"x = \"a\\u0000\"\n", "\"a\\u0000\" = 1\n", "[[x]]\ny = [\"\\u0000\"]\n"}) {
    EXPECT_THAT(refusal(text), HasSubstr("a text with a NUL character; remove it")) << text;
    EXPECT_THAT(refusal(text), HasSubstr("s.toml:"));
  }
}

TEST(StudyRefusal, OfOtherFormatsAndVersions) {
  EXPECT_THAT(refusal_of(""),
              HasSubstr("s.toml: format: the key is missing; write format = \"interpole-study\""));
  EXPECT_THAT(refusal_of("format = \"x\""), HasSubstr("s.toml:1: format: not \"interpole-study\""));
  EXPECT_THAT(refusal_of(head_with("version = 1\n", "")), HasSubstr("s.toml: version: the key is missing"));
  EXPECT_THAT(refusal_of(head_with("version = 1", "version = 3")),
              HasSubstr("s.toml:2: version: 3 is newer than the 2 this program reads; update Interpole"));
  EXPECT_THAT(refusal_of(head_with("version = 1", "version = 0")), HasSubstr("there is no version 0"));
  EXPECT_THAT(refusal_of(head_with("version = 1", "version = \"1\"")),
              HasSubstr("version: expected a whole number, found the text \"1\""));
}

TEST(StudyRefusal, OfUnknownKeysAnywhere) {
  EXPECT_THAT(refusal("[prior]\n"), HasSubstr("s.toml:13: prior: unknown key; did you mean \"priors\"?"));
  EXPECT_THAT(refusal("[known]\ntransitions = 1\n"),
              HasSubstr("s.toml:14: known.transitions: unknown key; did you mean \"transition\"?"));
  EXPECT_THAT(refusal("[known]\nnoise = 1\n"),
              HasSubstr("known.noise: unknown key; known here are \"initial_belief\""));
  EXPECT_THAT(refusal("[start]\nnoize = 1\n"),
              HasSubstr("start.noize: unknown key; did you mean \"noise\"?"));
  EXPECT_THAT(refusal("[priors]\nmeans = { std = 1 }\n"),
              HasSubstr("priors.means.std: unknown key; did you mean \"sd\"?"));
  EXPECT_THAT(refusal("[priors]\ninverse_temperature = { scale = 1 }\n"),
              HasSubstr("priors.inverse_temperature.scale: unknown key"));
  EXPECT_THAT(refusal("[labels]\nactions = 1\n"),
              HasSubstr("labels.actions: unknown key; did you mean \"action\"?"));
  EXPECT_THAT(refusal("[[actions]]\nname = \"x\"\noutcome = []\n"),
              HasSubstr("s.toml:15: actions[3].outcome: unknown key; did you mean \"outcomes\"?"));
  EXPECT_THAT(refusal("[\"a b\"]\n"), HasSubstr("s.toml:13: \"a b\": unknown key"));
}

TEST(StudyRefusal, OfBadStructure) {
  EXPECT_THAT(refusal_of(head_with("states = [\"healthy\", \"diseased\"]\n", "")),
              HasSubstr("s.toml: states: the key is missing"));
  EXPECT_THAT(
      refusal_of("format = \"interpole-study\"\nversion = 1\nstates = [\"a\"]\nobservations = [\"b\"]\n"),
      HasSubstr("s.toml: actions: the key is missing; add an [[actions]] table"));
  EXPECT_THAT(refusal_of(head_with("[\"healthy\", \"diseased\"]", "[]")),
              HasSubstr("s.toml: states: the list is empty"));
  EXPECT_THAT(refusal_of(head_with("[\"healthy\", \"diseased\"]", "[\"healthy\", 2]")),
              HasSubstr("s.toml:3: states[1]: expected a text in quotes, found the number 2"));
  EXPECT_THAT(refusal_of(head_with("[\"healthy\", \"diseased\"]", "\"healthy\"")),
              HasSubstr("s.toml:3: states: expected a list, found the text \"healthy\""));
  EXPECT_THAT(refusal_of(head_with("\"unclear\"", "\"positive\"")),
              HasSubstr("s.toml: observations[2]: \"positive\" is listed twice"));
  EXPECT_THAT(refusal_of(head_with("name = \"biopsy\"", "name = \"monitor\"")),
              HasSubstr("s.toml: actions[1]: \"monitor\" is listed twice"));
  EXPECT_THAT(refusal_of(head_with("name = \"biopsy\"", "name = \"*\"")),
              HasSubstr("s.toml:8: actions[1].name: \"*\" stands for every action"));
  EXPECT_THAT(refusal_of(head_with("name = \"biopsy\"\n", "")),
              HasSubstr("actions[1].name: the key is missing"));
  EXPECT_THAT(refusal_of(head_with("terminal = true", "terminal = 1")),
              HasSubstr("s.toml:12: actions[2].terminal: expected true or false, found the number 1"));
  EXPECT_THAT(refusal_of(head_with("version = 1", "version = 1\nname = 3")),
              HasSubstr("s.toml:3: name: expected a text in quotes, found the number 3"));
}

TEST(StudyRefusal, OfBadOutcomes) {
  const std::string outcomes = "outcomes = [\"negative\", \"positive\"]";
  EXPECT_THAT(
      refusal_of(head_with(outcomes, "outcomes = [\"negativ\"]")),
      HasSubstr(
          "s.toml:9: actions[1].outcomes[0]: \"negativ\" is not an observation; did you mean \"negative\"?"));
  EXPECT_THAT(refusal_of(head_with(outcomes, "outcomes = [\"negative\", \"negative\"]")),
              HasSubstr("actions[1].outcomes[1]: \"negative\" is listed twice"));
  EXPECT_THAT(refusal_of(head_with(outcomes, "outcomes = []")),
              HasSubstr("actions[1].outcomes: the list is empty"));
  EXPECT_THAT(refusal("outcomes = [\"negative\"]\n"),
              HasSubstr("s.toml:13: actions[2].outcomes: a terminal action yields nothing"));
}

TEST(StudyRefusal, OfEmptyCellsThatStandForNothing) {
  EXPECT_THAT(refusal_of(head_with("version = 1", "version = 1\nnot_recorded = \"unclaer\"")),
              HasSubstr("s.toml:3: not_recorded: \"unclaer\" is not an observation; add it to observations; "
                        "did you mean \"unclear\"?"));
  EXPECT_THAT(refusal_of("format = \"interpole-study\"\nversion = 2\nstates = [\"well\"]\n"
                         "not_recorded = \"lost\"\n[[actions]]\nname = \"wait\"\n[[factors]]\n"
                         "name = \"lactate\"\nkind = \"continuous\"\nfamily = \"lognormal\"\n"),
              HasSubstr("s.toml:4: not_recorded: observations of this study follow from factors"));
}

TEST(StudyRefusal, OfTiesBetweenActionsWithDifferentOutcomes) {
  EXPECT_THAT(
      refusal("[ties]\nobservation = true\n"),
      testing::AllOf(HasSubstr("s.toml:13: ties: "), HasSubstr("biopsy"),
                     HasSubstr("can yield something else; state the same for both, or remove the tie")));
}

TEST(StudyRefusal, OfModelsTooLargeForMemory) {
  std::string text = "format = \"interpole-study\"\nversion = 1\nobservations = [\"z\"]\nstates = [";
  for (int i = 0; i < 4000; ++i) text += "\"s" + std::to_string(i) + "\",";
  EXPECT_THAT(refusal_of(text + "]\n[[actions]]\nname = \"a\"\n"),
              HasSubstr("1 actions with 4000 states and 1 observations make a model of 1.6e+07 numbers"));
}

TEST(StudyRefusal, OfBadNumbers) {
  EXPECT_THAT(
      refusal("[known]\ninitial_belief = [0.5, 1.5]\n"),
      HasSubstr("s.toml:14: known.initial_belief[1]: 1.5 is not a probability; it must lie between 0 and 1"));
  EXPECT_THAT(refusal("[known]\ninitial_belief = [-0.5, 0.5]\n"),
              HasSubstr("initial_belief[0]: -0.5 is not a probability"));
  EXPECT_THAT(refusal("[known]\ninitial_belief = [nan, 0.5]\n"),
              HasSubstr("initial_belief[0]: nan is not a finite number"));
  EXPECT_THAT(refusal("[known]\nmeans.declare = [inf, 0.5]\n"),
              HasSubstr("known.means.declare[0]: inf is not a finite"));
  EXPECT_THAT(refusal("[known]\ninitial_belief = [\"x\", 0.5]\n"),
              HasSubstr("known.initial_belief[0]: expected a number, or \"?\" for an element to be learned"));
  EXPECT_THAT(refusal("[known]\ninitial_belief = [true, 0.5]\n"), HasSubstr("expected a number, found true"));
  EXPECT_THAT(refusal("[known]\ninitial_belief = [2020-01-01, 0.5]\n"), HasSubstr("found a date or time"));
  EXPECT_THAT(refusal("[known]\ninverse_temperature = 0\n"),
              HasSubstr("known.inverse_temperature: 0 must be above 0"));
  EXPECT_THAT(refusal("[known]\ninverse_temperature = [1]\n"), HasSubstr("expected a number, found a list"));
  EXPECT_THAT(refusal("[start]\nnoise = -1\n"), HasSubstr("start.noise: -1 must not be negative"));
}

TEST(StudyRefusal, OfWrongDimensions) {
  EXPECT_THAT(
      refusal("[known]\ninitial_belief = [1]\n"),
      HasSubstr(
          "s.toml:14: known.initial_belief: the list has 1 elements; it must have 2, one for each state"));
  EXPECT_THAT(
      refusal("[known]\ntransition.monitor = [[1, 0]]\n"),
      HasSubstr("known.transition.monitor: the list has 1 elements; it must have 2, one row for each state"));
  EXPECT_THAT(
      refusal("[known]\nobservation.monitor = [[1, 0, 0],\n [1, 0]]\n"),
      HasSubstr(
          "s.toml:15: known.observation.monitor[1]: the list has 2 elements; it must have 3, one for each "
          "observation"));
  EXPECT_THAT(refusal("[known]\nmeans.monitor = [0.2, 0.3, 0.5]\n"),
              HasSubstr("known.means.monitor: the list has 3"));
  EXPECT_THAT(refusal("[known]\ntransition.monitor = [1, 0]\n"),
              HasSubstr("known.transition.monitor[0]: expected a list, found the number 1"));
  EXPECT_THAT(refusal("[known]\ntransition.monitor = \"identiy\"\n"),
              HasSubstr("expected \"identity\" or a list of rows, found \"identiy\""));
  EXPECT_THAT(refusal("[known]\nmeans = [0.5, 0.5]\n"),
              HasSubstr("known.means: expected a table, found a list"));
  EXPECT_THAT(refusal("known = 3\n"), HasSubstr("actions[2].known: unknown key"));
}

TEST(StudyRefusal, OfRowsThatCannotSumToOne) {
  EXPECT_THAT(refusal("[known]\ninitial_belief = [0.5, 0.4]\n"),
              HasSubstr("s.toml:14: known.initial_belief: the row sums to 0.9, not to 1"));
  EXPECT_THAT(refusal("[known]\nobservation.monitor = [[0.6, 0.7, \"?\"], [\"?\", \"?\", \"?\"]]\n"),
              HasSubstr("known.observation.monitor[0]: the numbers of the row sum to 1.3, above 1"));
  EXPECT_THAT(refusal("[known]\ntransition.monitor = [[1, \"?\"], [0, 1]]\n"),
              HasSubstr("known.transition.monitor[0]: the numbers of the row sum to 1 and leave nothing for "
                        "\"?\"; write 0"));
  EXPECT_THAT(refusal("[known]\nmeans.declare = [1.3, 0.3]\n"),
              HasSubstr("known.means.declare: the row sums to 1.6, not to 1"));
  EXPECT_EQ(refusal("[known]\ninitial_belief = [0.333333333, 0.666666667]\n"), "accepted");
  EXPECT_THAT(refusal("[known]\ninitial_belief = [0.3333333, 0.6666666]\n"), HasSubstr("not to 1"));
}

TEST(StudyRefusal, OfNamesThatDoNotExist) {
  EXPECT_THAT(
      refusal("[known]\ntransition.biopsie = \"identity\"\n"),
      HasSubstr(
          "s.toml:14: known.transition.biopsie: \"biopsie\" is not an action; did you mean \"biopsy\"?"));
  EXPECT_THAT(
      refusal("[known]\nmeans.surgery = [1, 0]\n"),
      HasSubstr(
          "\"surgery\" is not an action; the actions (and \"*\" for every one) are \"monitor\", \"biopsy\""));
  EXPECT_THAT(
      refusal("[priors]\ntransition = { moniter = 2 }\n"),
      HasSubstr("priors.transition.moniter: \"moniter\" is not an action; did you mean \"monitor\"?"));
}

TEST(StudyRefusal, OfNumbersThatMasksAndTerminalActionsRuleOut) {
  EXPECT_THAT(refusal("[known]\nobservation.biopsy = [[0.5, 0.4, 0.1], [0.5, 0.5, 0]]\n"),
              HasSubstr("known.observation.biopsy[0][2]: 0.1 where the outcomes of action \"biopsy\" say 0"));
  EXPECT_THAT(refusal("[known]\nobservation.\"*\" = [[0.5, 0.4, 0.1], [0.5, 0.5, 0]]\n"),
              HasSubstr("known.observation.\"*\"[0][2]: 0.1 where the outcomes of action \"biopsy\" say 0"));
  EXPECT_THAT(refusal("[known]\nobservation.declare = [[1, 0, 0], [1, 0, 0]]\n"),
              HasSubstr("known.observation.declare: the action is terminal and yields no observation"));
  EXPECT_THAT(
      refusal("[known]\ntransition.declare = [[\"?\", \"?\"], [0, 1]]\n"),
      HasSubstr("known.transition.declare: the action is terminal, so its transition cannot be learned"));
  EXPECT_THAT(refusal("[start]\ntransition.declare = [[0.5, 0.5], [0.5, 0.5]]\n"),
              HasSubstr("start.transition.declare: the action is terminal, so there is nothing to learn"));
  EXPECT_THAT(refusal("[priors]\nobservation = { declare = 2 }\n"),
              HasSubstr("priors.observation.declare: the action is terminal and yields no observation"));
}

TEST(StudyRefusal, OfStartsThatContradictOrCannotMove) {
  EXPECT_THAT(refusal("[known]\ninitial_belief = [0.5, 0.5]\n[start]\ninitial_belief = [0.4, 0.6]\n"),
              HasSubstr("s.toml:16: start.initial_belief[0]: 0.4 where [known] says 0.5; write \"?\" here"));
  EXPECT_THAT(refusal("[known]\ninverse_temperature = 10\n[start]\ninverse_temperature = 1\n"),
              HasSubstr("start.inverse_temperature: [known] says 10 already; remove one of the two"));
  EXPECT_THAT(refusal("[start]\ninitial_belief = [0, 1]\n"),
              HasSubstr("start.initial_belief[0]: a probability that starts at 0 cannot move away from it"));
  EXPECT_THAT(refusal("[start]\ntransition.\"*\" = \"identity\"\n"),
              HasSubstr("start.transition.\"*\": probabilities that start at 0 and 1 cannot move"));
}

TEST(StudyRefusal, OfBadPriors) {
  EXPECT_THAT(refusal("[priors]\ninitial_belief = 0\n"),
              HasSubstr("s.toml:14: priors.initial_belief: 0 must be above 0"));
  EXPECT_THAT(refusal("[priors]\ninitial_belief = [1, -1]\n"),
              HasSubstr("priors.initial_belief[1]: -1 must be above 0"));
  EXPECT_THAT(refusal("[priors]\ntransition = inf\n"),
              HasSubstr("priors.transition: inf is not a finite number"));
  EXPECT_THAT(
      refusal("[priors]\ntransition = [[1, 1], [1, 1]]\n"),
      HasSubstr("priors.transition: expected one number, or a table with a number or rows for each action"));
  EXPECT_THAT(refusal("[priors]\ntransition.monitor = [[1, 1], [1]]\n"),
              HasSubstr("priors.transition.monitor[1]: the list has 1 elements; it must have 2"));
  EXPECT_THAT(refusal("[priors]\nmeans = { sd = 0 }\n"), HasSubstr("priors.means.sd: 0 must be above 0"));
  EXPECT_THAT(refusal("[priors]\nmeans = 3\n"),
              HasSubstr("priors.means: expected a table, found the number 3"));
  EXPECT_THAT(refusal("[priors]\ninverse_temperature = { shape = -2 }\n"),
              HasSubstr("shape: -2 must be above 0"));
  EXPECT_THAT(refusal("[priors]\ninverse_temperature = { rate = nan }\n"),
              HasSubstr("rate: nan is not a finite number"));
}

TEST(StudyRefusal, OfBadLabels) {
  const auto labels = [](const std::string& action, const std::string& observation,
                         const std::string& order) {
    return refusal("[labels]\naction = " + action + "\nobservation = " + observation + "\norder = " + order +
                   "\n");
  };
  const std::string order = "[\"healthy\", \"diseased\"]";
  EXPECT_THAT(refusal("[labels]\naction = \"biopsy\"\n"),
              HasSubstr("s.toml:13: labels.observation: the key is missing"));
  EXPECT_THAT(labels("\"biops\"", "\"positive\"", order),
              HasSubstr("s.toml:14: labels.action: \"biops\" is not an action; did you mean \"biopsy\"?"));
  EXPECT_THAT(labels("\"biopsy\"", "\"positiv\"", order),
              HasSubstr("labels.observation: \"positiv\" is not an observation; did you mean \"positive\"?"));
  EXPECT_THAT(labels("\"biopsy\"", "\"unclear\"", order),
              HasSubstr("action \"biopsy\" cannot yield \"unclear\""));
  EXPECT_THAT(labels("\"declare\"", "\"positive\"", order),
              HasSubstr("action \"declare\" cannot yield \"positive\""));
  EXPECT_THAT(labels("\"biopsy\"", "\"positive\"", "[\"healthy\"]"),
              HasSubstr("labels.order: the list has 1 elements; it must have 2, each state once"));
  EXPECT_THAT(labels("\"biopsy\"", "\"positive\"", "[\"healthy\", \"healthy\"]"),
              HasSubstr("labels.order[1]: \"healthy\" is listed twice"));
  EXPECT_THAT(labels("\"biopsy\"", "\"positive\"", "[\"healthy\", \"deseased\"]"),
              HasSubstr("labels.order[1]: \"deseased\" is not a state; did you mean \"diseased\"?"));
}

TEST(StudyRefusal, OfBadStarts) {
  const auto starts = [](const std::string& line) { return refusal("[initial_belief]\n" + line + "\n"); };
  EXPECT_THAT(starts("bye = []"),
              HasSubstr("s.toml:14: initial_belief.bye: unknown key; did you mean \"by\"?"));
  EXPECT_THAT(starts("by = \"age\""), HasSubstr("initial_belief.by: expected a list"));
  EXPECT_THAT(starts("by = [\"age\", \"age\"]"),
              HasSubstr("initial_belief.by[1]: \"age\" is listed twice; remove one"));
  EXPECT_THAT(starts("by = [\"\"]"), HasSubstr("initial_belief.by[0]: the name is empty"));
  EXPECT_THAT(starts("by = [\"age\"]\nalways = 1"),
              HasSubstr("initial_belief.always: expected true or false"));
  EXPECT_THAT(starts("always = true"),
              HasSubstr("s.toml:14: initial_belief.always: true, but initial_belief.by names no covariate"));
}

TEST(StudyRefusal, OfBadPolicies) {
  const auto policy = [](const std::string& line) { return refusal("[policy]\n" + line + "\n"); };
  EXPECT_THAT(policy("habits = true"),
              HasSubstr("s.toml:14: policy.habits: unknown key; did you mean \"habit\"?"));
  EXPECT_THAT(refusal("policy = 3\n"), HasSubstr("actions[2].policy: unknown key"));
  EXPECT_THAT(refusal_of("policy = 3\n" + study_file::kHead),
              HasSubstr("s.toml:1: policy: expected a table, found the number 3"));
  for (const std::string key : {"habit", "lapse", "time", "missing"}) {
    EXPECT_THAT(policy(key + " = \"yes\""),
                HasSubstr("s.toml:14: policy." + key + ": expected true or false, found the text \"yes\""));
  }
  EXPECT_THAT(policy("period = 1"), HasSubstr("s.toml:14: policy.period: 1 is not from 2 to 1000; write"));
  EXPECT_THAT(policy("period = 1001"), HasSubstr("policy.period: 1001 is not from 2 to 1000"));
  EXPECT_THAT(policy("period = 4.0"), HasSubstr("policy.period: expected a whole number"));
  EXPECT_THAT(policy("time = false\nperiod = 4"),
              HasSubstr("s.toml:15: policy.period: 4 steps, but time = false; remove one"));
  EXPECT_THAT(policy("kinds = 0"),
              HasSubstr("s.toml:14: policy.kinds: 0 is not from 1 to 6; write how many"));
  EXPECT_THAT(policy("kinds = 7"), HasSubstr("policy.kinds: 7 is not from 1 to 6"));
  EXPECT_THAT(policy("kinds_by = \"doctor\""),
              HasSubstr("policy.kinds_by: \"doctor\" is not known; write \"record\""));
  EXPECT_THAT(policy("kinds_by = \"group\""), HasSubstr("policy.kinds_by: there is no policy.group"));
  EXPECT_THAT(policy("context = \"age\""), HasSubstr("policy.context: expected a list"));
  EXPECT_THAT(policy("context = [\"age\", 3]"), HasSubstr("policy.context[1]: expected a text in quotes"));
  EXPECT_THAT(policy("context = [\"age\", \"age\"]"),
              HasSubstr("policy.context[1]: \"age\" is listed twice; remove one"));
  EXPECT_THAT(policy("context = [\"\"]"), HasSubstr("policy.context[0]: the name is empty"));
  EXPECT_THAT(policy("group = \"\""), HasSubstr("policy.group: the name is empty"));
  EXPECT_THAT(policy("group = [\"site\"]"),
              HasSubstr("policy.group: expected a text in quotes, found a list"));
  EXPECT_THAT(policy("context = [\"site\"]\ngroup = \"site\""),
              HasSubstr("s.toml:15: policy.group: \"site\" is listed in policy.context too; keep one"));
}

}  // namespace
}  // namespace interpole::data
