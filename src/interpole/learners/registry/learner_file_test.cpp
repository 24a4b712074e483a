#include "interpole/learners/registry/learner_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/error.hpp"
#include "interpole/model_file.hpp"

namespace interpole::learners {
namespace {

using ::testing::HasSubstr;

const std::string kGood = R"({"format": "interpole-learner", "version": 1, "algorithm": "majority",
 "structure": {"states": ["s"], "actions": ["look", "stop"], "observations": ["no", "yes"],
               "outcomes": [["no"], null]},
 "content": {"smoothing": 1.0, "counts": [3, 1]}})";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    parse_learner(text, "l.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "taken";
}

TEST(LearnerFile, ReadsStructureAndContent) {
  const SavedLearner saved = parse_learner(kGood, "l.json");
  EXPECT_EQ(saved.algorithm, "majority");
  EXPECT_TRUE(saved.structure.is_terminal(1));
  EXPECT_TRUE(saved.structure.can_yield(0, 0));
  EXPECT_FALSE(saved.structure.can_yield(0, 1));
  EXPECT_EQ(saved.structure.not_recorded, kMissing);
  const std::string empty = changed("[[\"no\"], null]", "[[\"no\"], null], \"not_recorded\": \"no\"");
  EXPECT_EQ(parse_learner(empty, "l.json").structure.not_recorded, 0);
  EXPECT_NO_THROW(parse_learner("\xEF\xBB\xBF" + kGood, "l.json"));
}

TEST(LearnerFile, NamesThePlaceOfWhatIsAmiss) {
  const auto expect = [](const std::string& from, const std::string& to, const char* message) {
    EXPECT_THAT(refusal(changed(from, to)), HasSubstr(message)) << to;
  };
  expect("\"version\": 1", "\"version\": 2", "l.json: version: 2 is from a newer program");
  expect("\"version\": 1", "\"version\": 0", "l.json: version: 0 does not exist");
  expect("\"version\": 1", "\"version\": 1.5", "l.json: version: expected a whole number");
  expect("majority", "majorty",
         "l.json: algorithm: \"majorty\" is not a learner; did you mean \"majority\"?");
  expect("interpole-learner", "interpole", "l.json: format: \"interpole\" is not \"interpole-model\"");
  expect("\"states\": [\"s\"]", "\"state\": [\"s\"]",
         "l.json: structure.state: unknown key; did you mean \"states\"?");
  expect("[\"no\"], null", "[\"maybe\"], null",
         "l.json: structure.outcomes[0][0]: the text \"maybe\" is not one of");
  expect("[[\"no\"], null]", "[[\"no\"], null], \"not_recorded\": \"maybe\"",
         "l.json: structure.not_recorded: the text \"maybe\" is not one of the observations");
  expect("[\"no\"], null", "[\"no\"]", "l.json: structure.outcomes: 1 entries; 2 expected");
  expect("[\"no\"], null", "[], null", "l.json: structure.outcomes[0]: no outcomes");
  expect("\"look\", \"stop\"", "\"look\", \"look\"", "l.json: structure");
  expect("[3, 1]", "[3, -1]", "l.json: content.counts[1]: -1 is negative");
  expect("[3, 1]", "[3]", "l.json: content.counts: 1 entries; 2 expected");
  expect("[3, 1]", "[3, null]", "l.json: content.counts[1]: expected");
  expect("[3, 1]", "[3, 1], \"x\": 1", "l.json: content.x: unknown key");
  expect("1.0", "0.0", "l.json: content.smoothing: 0 is not above zero");
  expect("\"smoothing\": 1.0, ", "", "smoothing");
  expect("{\"smoothing\": 1.0, \"counts\": [3, 1]}", "[]", "l.json: content: expected an object");
  EXPECT_THAT(refusal("{"), HasSubstr("l.json"));
}

TEST(LearnerFile, IsRefusedWhereAModelIsNeeded) {
  try {
    parse_model(kGood, "l.json");
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("learner \"majority\""));
    EXPECT_THAT(error.what(), HasSubstr("option algorithm interpole"));
  }
}

}  // namespace
}  // namespace interpole::learners
