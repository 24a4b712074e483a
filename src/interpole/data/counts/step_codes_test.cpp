#include "interpole/data/counts/step_codes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace interpole::data {
namespace {

using ::testing::HasSubstr;

Structure clinic_structure() {
  Structure structure = Structure::unrestricted({"well", "ill"}, {"wait", "test", "stop"}, {"low", "high"});
  structure.make_terminal(2);
  structure.allowed[0] = 0;  // waiting never yields "low"
  return structure;
}

std::string complaint_about(const std::string& text, bool diagnoses = false) {
  const Structure structure = clinic_structure();
  std::vector<Step> steps;
  std::vector<std::int32_t> states;
  return StepCodes(structure, diagnoses).decode(text, steps, states);
}

TEST(StepCodes, EveryRecordComesBackFromItsText) {
  const Structure structure = clinic_structure();
  std::vector<Step> read;
  std::vector<std::int32_t> states;
  const std::vector<Step> steps = {{0, 1}, {1, kMissing}, {1, 0}, {2, kMissing}};
  const StepCodes plain(structure, false);
  EXPECT_EQ(plain.encode(steps), "2 3 4 6");
  EXPECT_EQ(plain.decode("2 3 4 6", read, states), "");
  EXPECT_EQ(read, steps);
  EXPECT_TRUE(states.empty());
  const StepCodes with_states(structure, true);
  const std::vector<std::int32_t> recorded = {-1, 0, 1, -1};
  EXPECT_EQ(with_states.encode(steps, recorded), "6 10 14 18");
  EXPECT_EQ(with_states.decode("6 10 14 18", read, states), "");
  EXPECT_EQ(read, steps);
  EXPECT_EQ(states, recorded);
}

TEST(StepCodes, EveryCodeIsOfOneStepOrRefused) {
  const Structure structure = clinic_structure();
  const StepCodes codes(structure, true);
  std::vector<Step> steps;
  std::vector<std::int32_t> states;
  int good = 0;
  for (std::int64_t code = 0; code < codes.count(); ++code) {
    const std::string text = std::to_string(code);
    if (!codes.decode(text, steps, states).empty()) continue;
    EXPECT_EQ(codes.encode(steps, states), text);
    ++good;
  }
  // (wait: missing, high; test: missing, low, high; stop: missing) times three states.
  EXPECT_EQ(good, 18);
}

TEST(StepCodes, SayWhatIsWrong) {
  EXPECT_THAT(complaint_about("2 9"),
              HasSubstr("step 2: \"9\" is not a code of this study, which has 0 to 8"));
  for (const char* text : {"", " ", "2  3", "2 3 ", "02", "-1", "+1", "1.0", "x", "99999999999999999999"}) {
    EXPECT_THAT(complaint_about(text), HasSubstr("is not a code of this study")) << text;
  }
  EXPECT_THAT(complaint_about("1"), HasSubstr("stands for \"low\" after \"wait\", which cannot yield it"));
  EXPECT_THAT(complaint_about("7"), HasSubstr("after \"stop\", which cannot yield it"));
  EXPECT_THAT(complaint_about("6 3"), HasSubstr("step 2: the record goes on after \"stop\", which ends it"));
}

}  // namespace
}  // namespace interpole::data
