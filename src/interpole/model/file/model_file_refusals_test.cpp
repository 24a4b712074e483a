// What the reader refuses, and how it says so. Each case is a valid file with one thing spoiled.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpole/model/file/model_text_testing.hpp"

namespace interpole::model {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of_file(const std::string& path) {
  return base::complaint_of([&] { read_model(path); });
}

std::string refusal_of_spoiled(const Spoiled& spoiled) {
  return refusal_of(spoil(kGood, spoiled));
}

void expect_refusals(const std::vector<Spoiled>& table) {
  for (const Spoiled& spoiled : table) {
    EXPECT_THAT(refusal_of_spoiled(spoiled), StartsWith("m.json: " + spoiled.message)) << spoiled.to;
  }
}

TEST(ModelFileRefusals, TheGoodFileIsGood) {
  EXPECT_EQ(refusal_of(kGood), "accepted");
}

TEST(ModelFileRefusals, Header) {
  expect_refusals({
      {R"("interpole-model")", R"("pomdp")",
       "format: \"pomdp\" is not \"interpole-model\"; this is not a model file"},
      {R"("interpole-model")", "3", "format: expected a text, found the number 3"},
      {R"("version": 1)", R"("version": 6)",
       "version: 6 is from a newer program (this one reads up to 5); update interpole"},
      {R"("version": 1)", R"("version": 18446744073709551615)",
       "version: 18446744073709551615 is from a newer program"},
      {R"("version": 1)", R"("version": 0)", "version: 0 does not exist"},
      {R"("version": 1)", R"("version": -3)", "version: -3 does not exist"},
      {R"("version": 1)", R"("version": 1.0)", "version: expected a whole number, found the number 1.0"},
      {R"("version": 1)", R"("version": "1")", "version: expected a whole number, found the text \"1\""},
  });
}

TEST(ModelFileRefusals, MissingKeys) {
  for (const std::string key : {"format", "version", "states", "actions", "observations", "initial_belief",
                                "transition", "observation", "inverse_temperature", "means"}) {
    const std::string quoted = "\"" + key + "\":";
    const std::string message = refusal_of_spoiled({quoted, "\"x-" + key + "\":", ""});
    EXPECT_EQ(message, "m.json: " + key + ": the key is missing; add it");
  }
  const std::string world =
      refusal_of_spoiled({R"("world": {"initial_belief")", R"("world": {"initial")", ""});
  EXPECT_EQ(world, "m.json: world.initial_belief: the key is missing; add it");
}

TEST(ModelFileRefusals, RepeatedKeysAtAnyLevel) {
  expect_refusals({
      {R"("version": 1)", R"("version": 1, "version": 1)", "the key \"version\" appears twice; remove one"},
      {R"("version": 1)", R"("version": 1, "versio\u006e": 1)",
       "the key \"version\" appears twice; remove one"},
      {R"({"seed": 7})", R"([0, {"a": {"b": 1, "c": 2, "b": 1}}])",
       "provenance[1].a: the key \"b\" appears twice"},
      {R"({"seed": 7})", R"({"\u001b[2J": {"x": 1, "x": 1}})",
       R"(provenance["\u001b[2J"]: the key "x" appears twice)"},
      {R"({"initial_belief": [0.2, 0.8])", R"({"initial_belief": [0.2, 0.8], "initial_belief": [1, 0])",
       "world: the key \"initial_belief\" appears twice"},
  });
}

TEST(ModelFileRefusals, WrongTypes) {
  expect_refusals({
      {R"(["h", "d"])", R"("h d")", "states: expected an array, found the text \"h d\""},
      {R"(["h", "d"])", R"(["h", 2])", "states[1]: expected a text, found the number 2"},
      {"[0.5, 0.5],", "{},", "initial_belief: expected an array, found an object"},
      {"[0, 1]]", "[0, \"1\"]]", "transition[0][1][1]: expected a finite number, found the text \"1\""},
      {"[0, 1]]", "[0, \"NaN\"]]", "transition[0][1][1]: expected a finite number, found the text \"NaN\""},
      {"[0, 1]]", "[0, null]]", "transition[0][1][1]: expected a finite number, found null"},
      {"[0, 1]]", "true]", "transition[0][1]: expected an array, found true"},
      {"[0.3, 0.7]", "0.3", "observation[0][1]: expected an array, found the number 0.3"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": [10])",
       "inverse_temperature: expected a finite number, found an array"},
      {R"("means": [[0.5, 0.5], [1.3, -0.3]])", R"("means": null)", "means: expected an array, found null"},
      {R"("world": {)", R"("world": [], "ignored": {)", "world: expected an object, found an array"},
  });
  EXPECT_EQ(refusal_of("[1, 2]"), "m.json: expected an object, found an array");
  EXPECT_EQ(refusal_of("3"), "m.json: expected an object, found the number 3");
}

TEST(ModelFileRefusals, WrongDimensions) {
  expect_refusals({
      {"[0.5, 0.5],", "[1],", "initial_belief: 1 entries; 2 expected, one for each of the states"},
      {R"(["h", "d"])", R"(["h", "d", "x"])",
       "initial_belief: 2 entries; 3 expected, one for each of the states"},
      {"[0, 1]]", "[0, 1, 0]]", "transition[0][1]: 3 entries; 2 expected, one for each of the states"},
      {", [0, 1]]", "]", "transition[0]: 1 entries; 2 expected, one for each of the states"},
      {", [[1, 0], [0, 1]]]", "]", "transition: 1 entries; 2 expected, one for each of the actions"},
      {"[0.3, 0.7]", "[0.3, 0.6, 0.1]",
       "observation[0][1]: 3 entries; 2 expected, one for each of the observations"},
      {", null],", "],", "observation: 1 entries; 2 expected, one for each of the actions"},
      {"[1.3, -0.3]", "[1]", "means[1]: 1 entries; 2 expected, one for each of the states"},
      {"[0.1, 0.9]", "[]",
       "world.observation[0][1]: 0 entries; 2 expected, one for each of the observations"},
  });
}

TEST(ModelFileRefusals, ManyNamesAreRefusedBeforeATableIsMade) {
  // 90 terminal actions, 1,000 states and 200,000 outcomes would ask for 144 GB of zeros.
  std::string observations = "\"x\"";
  for (int z = 0; z < 200'000; ++z) observations += ",\"" + std::to_string(z) + "\"";
  std::string states = "\"x\"";
  for (int s = 0; s < 999; ++s) states += ",\"" + std::to_string(s) + "\"";
  const Spoiled spoiled{
      R"("states": ["h", "d"], "actions": ["test", "declare"], "observations": ["-", "+"])",
      R"("states": [)" + states + R"(], "actions": ["a", "b"], "observations": [)" + observations + "]", ""};
  EXPECT_THAT(
      refusal_of_spoiled(spoiled),
      StartsWith("m.json: observation: 2 actions, 1000 states and 200001 observations make more than"));
  const Spoiled no_states{R"("states": ["h", "d"])", R"("states": [])", ""};
  EXPECT_EQ(refusal_of_spoiled(no_states), "m.json: states: the list is empty; name at least one");
}

TEST(ModelFileRefusals, BadNumbers) {
  expect_refusals({
      {"[0.9, 0.1]", "[0.9, 1e999]",
       "transition[0][0][1]: 1e999 is too large for a number; write a finite one"},
      {"[0.9, 0.1]", "[0.9, NaN]", "transition[0][0][1]: not valid JSON at line 4, column 23, near \"NaN]"},
      {"[0.9, 0.1]", "[0.9, -Infinity]", "transition[0][0][1]: not valid JSON at line 4"},
      {"[0.9, 0.1]", "[0.9, 01]", "transition[0]"},
      {"[0.9, 0.1]", "[1.1, -0.1]",
       "transition[0][0][1]: -0.1 is negative; a probability lies between 0 and 1"},
      {"[0.9, 0.1]", "[0.9, 0.2]", "transition[0][0]: the row sums to 1.1, not to 1; correct its entries"},
      {"[0.9, 0.1]", "[0.9, 0.10000002]", "transition[0][0]: the row sums to 1.00000002, not to 1"},
      {"[0.5, 0.5],", "[0, 0],", "initial_belief: the row sums to 0, not to 1"},
      {"[0.3, 0.7]", "[0.3, 0.3]", "observation[0][1]: the row sums to 0.6, not to 1"},
      {"[0.2, 0.8]", "[0.2, 0.9]", "world.initial_belief: the row sums to 1.1, not to 1"},
      {"[0.1, 0.9]", "[-0.1, 1.1]", "world.observation[0][1][0]: -0.1 is negative"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": 0)",
       "inverse_temperature: 0 is not above 0"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": -1)",
       "inverse_temperature: -1 is not above 0"},
      {R"("inverse_temperature": 10)", R"("inverse_temperature": 1e101)",
       "inverse_temperature: 1e+101 is larger than"},
      {"[1.3, -0.3]", "[1.3, -0.2]", "means[1]: the entries sum to 1.1, not to 1"},
  });
}

TEST(ModelFileRefusals, NamesAndMasks) {
  expect_refusals({
      {R"(["h", "d"])", R"(["h", "h"])", "states[1]: \"h\" is listed twice; remove one"},
      {R"(["test", "declare"])", R"(["test", ""])", "actions[1]: the name is empty"},
      {R"(["-", "+"], null])", R"(["-", "*"], null])",
       "outcomes[0][1]: \"*\" is not one of the observations"},
      {R"(["-", "+"], null])", R"(["-", "-"], null])", "outcomes[0][1]: \"-\" is listed twice; remove one"},
      {R"(["-", "+"], null])", R"(["-", "+"], ["-"]])",
       "outcomes[1]: outcomes of a terminal action (observation[1]"},
      {R"(["-", "+"], null])", R"([], null])",
       "outcomes[0]: no outcomes, but observation[0] is not null; list them"},
      {R"(["-", "+"], null])", R"(null, null])", "outcomes[0]: no outcomes, but observation[0] is not null"},
      {R"(["-", "+"], null])", R"(["-", "+"]])",
       "outcomes: 1 entries; 2 expected, one for each of the actions"},
      {R"(["-", "+"], null])", R"(["+"], null])",
       "observation[0][0][0]: 0.6 where action \"test\" cannot yield \"-\"; set it to 0 or list the outcome"},
      {"[[0.8, 0.2], [0.1, 0.9]]", "null",
       "world.observation[0]: null, but the agent's observation[0] is given"},
      {"[[0.8, 0.2], [0.1, 0.9]], null", "[[0.8, 0.2], [0.1, 0.9]], [[1, 0], [1, 0]]",
       "world.observation[1]: given, but the agent's observation[1] is null"},
  });
}

TEST(ModelFileRefusals, BrokenText) {
  EXPECT_EQ(refusal_of(""), "m.json: the file is empty");
  EXPECT_EQ(refusal_of("\xEF\xBB\xBF"), "m.json: the file is empty");
  EXPECT_THAT(refusal_of("PK\x03\x04"), StartsWith("m.json: not valid JSON at line 1"));
  EXPECT_THAT(refusal_of(kGood + "}"), StartsWith("m.json: not valid JSON at line"));
  EXPECT_THAT(refusal_of(kGood + std::string(1, '\0')), StartsWith("m.json: not valid JSON"));
  expect_refusals({
      {R"(["h")", "[\"h\xFF\"", "line 2 is not valid UTF-8; save the file as UTF-8 text"},
      {R"(["h")", R"(["\ud800")", "states[0]: not valid JSON at line 2"},
      {"[0.9, 0.1]", "[0.9, 0.1,]", "transition[0][0]"},
      {"\"seed\": 7", "\"seed\": 70000000000000000000000",
       "provenance.seed: 70000000000000000000000 is too large for a whole number"},
  });
}

TEST(ModelFileRefusals, EveryTruncation) {
  for (std::size_t length = 1; length < kGood.size(); ++length) {
    ASSERT_THAT(refusal_of(kGood.substr(0, length)), HasSubstr("the file ends in the middle")) << length;
  }
}

TEST(ModelFileRefusals, DepthBombs) {
  for (const std::size_t depth : {std::size_t{40}, std::size_t{2'000'000}}) {
    const std::string open(depth, '[');
    const std::string closed = open + std::string(depth, ']');
    EXPECT_THAT(refusal_of(open), StartsWith("m.json: nested more than 32 levels deep"));
    EXPECT_THAT(refusal_of(closed), StartsWith("m.json: nested more than 32 levels deep"));
    EXPECT_THAT(refusal_of_spoiled({R"({"seed": 7})", closed, ""}),
                StartsWith("m.json: nested more than 32"));
  }
  const std::string allowed = std::string(25, '[') + std::string(25, ']');
  EXPECT_EQ(refusal_of_spoiled({R"({"seed": 7})", allowed, ""}), "accepted");
}

TEST(ModelFileRefusals, FilesThatCannotBeRead) {
  EXPECT_EQ(refusal_of_file("/nonexistent/m.json"),
            "/nonexistent/m.json: cannot open it: No such file or directory");
  const fs::path folder = fs::temp_directory_path() / ("interpole_refusals_" + std::to_string(::getpid()));
  fs::create_directory(folder);
  EXPECT_EQ(refusal_of_file(folder.string()),
            folder.string() + ": this is a folder; give the model file in it");
  const std::string path = (folder / "m.json").string();
  std::ofstream(path) << kGood;
  EXPECT_EQ(refusal_of_file(path), "accepted");
  fs::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // sparse: takes no room
  EXPECT_EQ(refusal_of_file(path), path + ": larger than 256 MB; this is not a model file");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace interpole::model
