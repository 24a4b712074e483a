#include "interpole/base/json/json_diagnosis.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace interpole::base {
namespace {

using testing::StartsWith;

struct Broken {
  std::string text;
  std::string diagnosis;
};

TEST(JsonDiagnosis, NamesThePlaceAndTheReason) {
  const std::vector<Broken> table = {
      {"", "f.json: the file is empty"},
      {" \n\t ", "f.json: the file is empty"},
      {R"({"a": [1, {"b": )", "f.json: a[1].b: the file ends in the middle"},
      {R"({"a": "xy)", "f.json: a: the file ends in the middle"},
      {"{\"a\": [0,\n  NaN]}",
       R"(f.json: a[1]: not valid JSON at line 2, column 3, near "NaN]}"; correct it there)"},
      {"[1,]", R"(f.json: [1]: not valid JSON at line 1, column 4, near)"},
      {R"({"t": [[1, 1e999]]})", "f.json: t[0][1]: 1e999 is too large for a number; write a finite one"},
      {R"({"a b": {"": [-1e999]}})", R"(f.json: ["a b"])"},
      {"[1, 100000000000000000000000]",
       "f.json: [1]: 100000000000000000000000 is too large for a whole number"},
      {"{} {}", "f.json: not valid JSON at line 1, column 4"},
      {"{\n\"a\": \"\xFF\"}", "f.json: line 2 is not valid UTF-8; save the file as UTF-8 text"},
      {R"(["\ud800"])", "f.json: [0]: not valid JSON at line 1"},
      {"[\"a\nb\"]",
       "f.json: [0]: not valid JSON at line 1, column 4, the end of the line; correct it there"},
      {"[\"a\tb\"]", "f.json: [0]: not valid JSON at line 1"},
  };
  for (const Broken& broken : table) {
    EXPECT_THAT(diagnose_json(broken.text, "f.json", "unknown"), StartsWith(broken.diagnosis)) << broken.text;
  }
}

TEST(JsonDiagnosis, GivesTheOtherReasonWhereItSeesNone) {
  EXPECT_EQ(diagnose_json("[1]", "f.json", "the tape is full"), "f.json: not valid JSON: the tape is full");
}

TEST(JsonDiagnosis, DoesNotFollowEndlessNesting) {
  EXPECT_EQ(diagnose_json(std::string(1'000'000, '[') + "\"x", "f.json", "unknown"),
            "f.json: nested more than 32 levels deep; this is not a file we write");
}

TEST(JsonDiagnosis, ShowsLongAndWildTextSafely) {
  const std::string message =
      diagnose_json("[\"\x1b[2J" + std::string(500, 'x') + "\"]", "f.json", "unknown");
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_LT(message.size(), 250U);
  const std::string keyed = diagnose_json("{\"" + std::string(500, 'k') + "\": NaN}", "f.json", "unknown");
  EXPECT_THAT(keyed, StartsWith("f.json: [\"" + std::string(60, 'k') + "…\"]: not valid JSON"));
}

}  // namespace
}  // namespace interpole::base
