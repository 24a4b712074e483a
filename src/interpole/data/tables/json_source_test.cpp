#include "interpole/data/tables/json_source.hpp"

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/data/records/visits_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kRows[] = {
    R"({"id": 2, "visit": "bl", "act": "wait", "score": 6.50, "size": null})",
    R"({"visit": " bl ", "id": 1, "act": "wait", "score": "1"})",
    R"({"id": 1, "visit": "m06", "act": "scan", "score": -4, "size": "large", "late": true})"};

const std::vector<std::string> kLines = {"1: wait/2@bl scan/-@m06", "2: wait/5@bl"};

class JsonTest : public MappedTest {
 protected:
  static std::string array() { return joined("[", kRows[0], ",\n", kRows[1], ", ", kRows[2], "]\n"); }
  static std::string lines() { return joined(kRows[0], "\n", kRows[1], "\n\n", kRows[2], "\n"); }

  std::vector<std::string> read(const std::string& name, const std::string& text) {
    return records(ClinicStudy().parse(), data_file(file(name, text)));
  }
  std::string refusal(const std::string& name, const std::string& text, const ClinicStudy& study = {}) {
    return refusal_of([&] { records(study.parse(), data_file(file(name, text))); });
  }
};

TEST_F(JsonTest, ReadsAnArrayOfObjectsAndOneObjectALine) {
  EXPECT_EQ(read("a.json", array()), kLines);
  EXPECT_EQ(read("b.jsonl", lines()), kLines);
  EXPECT_EQ(read("c.NDJSON", lines()), kLines);
  EXPECT_EQ(read("lines under the other name.json", lines()), kLines);
  EXPECT_EQ(read("it's [a] *.json", array()), kLines);
}

TEST_F(JsonTest, AMissingKeyIsAMissingValue) {
  MappingReport report;
  ClinicStudy study;
  study.rest = "[filters]\nrequired = [\"late\"]\n";
  EXPECT_THAT(records(study.parse(), data_file(file("a.json", array())), &report),
              ElementsAre("1: scan/-@m06"));
  EXPECT_EQ(dropped(report, "no late"), "2/1");
}

TEST_F(JsonTest, CellsAreTextInSql) {
  ClinicStudy study;
  study.rest = "[filters]\nwhere = \"late = 'true' OR score = '6.5'\"\n";
  EXPECT_THAT(records(study.parse(), data_file(file("a.json", array()))),
              ElementsAre("1: scan/-@m06", "2: wait/5@bl"));
}

TEST_F(JsonTest, RowsAreCountedFromOne) {
  EXPECT_EQ(refusal("a.json", R"([{"id":1,"visit":"bl","act":"wait","score":1,"size":null},
                                  {"id":1,"visit":"m06","act":"scn","score":1}])"),
            "a.json: row 2: column act: \"scn\" is not an action of this study; did you mean \"scan\"?");
}

TEST_F(JsonTest, AVisitsTableMayBeJson) {
  const auto structure = Structure::unrestricted({"well", "ill"}, {"wait", "scan"}, {"low", "high"});
  const std::string path = file("a.jsonl",
                                "{\"patient\":7,\"step\":1,\"action\":\"wait\",\"observation\":\"low\"}\n"
                                "{\"patient\":7,\"step\":2,\"action\":\"scan\"}\n");
  const std::vector<Record> records = read_records(path, structure);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].patient, "7");
  EXPECT_THAT(records[0].steps, ElementsAre(Step{0, 0}, Step{1, kMissing}));
  const std::string nested =
      file("b.jsonl", "{\"patient\":7,\"step\":1,\"action\":[\"wait\"],\"observation\":\"low\"}\n");
  EXPECT_THAT(refusal_of([&] { read_records(nested, structure); }),
              HasSubstr("b.jsonl: column action: holds lists or objects, not values; write plain values"));
}

TEST_F(JsonTest, NestedValuesAreRefusedWhereTheyAreNamedAndReachableInSql) {
  const std::string text =
      R"([{"id":1,"visit":"bl","act":{"name":"wait","by":"x"},"score":1,"size":null,"tags":[1,2]}])";
  EXPECT_EQ(
      refusal("a.json", text),
      "a.json: column \"act\", which action.column in s.toml names, holds lists or objects, not values; take "
      "what is needed out of it in source.sql and name that");
  ClinicStudy study;
  study.source = "[source]\ntables = [\"t\"]\nsql = '''SELECT * REPLACE (act->>'name' AS act) FROM t'''\n";
  EXPECT_THAT(records(study.parse(), data_file(file("b.json", text))), ElementsAre("1: wait/2@bl"));
}

TEST_F(JsonTest, SaysWhereTextIsMalformed) {
  EXPECT_EQ(refusal("a.json", R"([{"id":1},{"id":2])"),
            "a.json: record 2: not well-formed JSON: unexpected character; correct the file");
  EXPECT_EQ(refusal("a.jsonl", "{\"id\":1}\n{\"id\":2}\n{\"id\":\n{\"id\":4}\n"),
            "a.jsonl: line 3: not well-formed JSON: unexpected end of data; correct the file");
  EXPECT_EQ(refusal("a.json", R"([{"id":1},{"id":2)"),
            "a.json: record 2: not well-formed JSON: unexpected end of data; correct the file");
  EXPECT_THAT(refusal("a.json", "[{\"id\":\"\xff\"}]"),
              HasSubstr("record 1: not well-formed JSON: invalid UTF-8"));
}

TEST_F(JsonTest, SaysWhereTextIsMalformedBeyondTheSample) {
  std::string text;
  for (int i = 1; i <= kJsonSample + 5000; ++i)
    text += i == kJsonSample + 3000
                ? "{\"id\":}\n"
                : joined("{\"id\":", i, ",\"visit\":\"bl\",\"act\":\"wait\",\"score\":1,\"size\":null}\n");
  EXPECT_EQ(refusal("a.jsonl", text),
            joined("a.jsonl: line ", kJsonSample + 3000,
                   ": not well-formed JSON: unexpected character; correct the file"));
}

TEST_F(JsonTest, RefusesWhatIsNotObjects) {
  EXPECT_THAT(refusal("a.json", "[1, 2]"),
              HasSubstr("a.json: must be an array of objects, [{…}, {…}], or one"));
  EXPECT_THAT(refusal("a.json", "\"x\""), HasSubstr("must be an array of objects"));
  EXPECT_THAT(refusal("a.json", "[{\"id\": 1}, [2]]"), HasSubstr("not every element is an object with keys"));
  EXPECT_THAT(refusal("a.json", "[{}]"), HasSubstr("not every element is an object with keys"));
  EXPECT_EQ(refusal("a.json", "[ ]"), "a.json: there are no rows; nothing to learn from");
  EXPECT_EQ(refusal("a.json", " \n"), "a.json: the file is empty; it must hold objects, one for each row");
  EXPECT_EQ(refusal("a.jsonl", "[{\"id\": 1}]"),
            "a.jsonl: must hold one object {…} a line; an array of objects is a .json file: rename it");
  EXPECT_THAT(refusal("a.json", "\xEF\xBB\xBF[{\"id\": 1}]"), HasSubstr("begins with a byte order mark"));
}

TEST_F(JsonTest, RefusesKeysThatCannotBeToldApart) {
  EXPECT_EQ(refusal("a.json", R"([{"id":1,"visit":"bl","act":"wait","score":1,"size":null,"id":2}])"),
            "a.json: record 1: a key is there twice; keep one of them");
  EXPECT_THAT(refusal("a.json", R"([{"id":1,"ID":2}])"), HasSubstr("a.json: two keys differ in case only"));
  EXPECT_THAT(refusal("a.json", R"([{"":1}])"), HasSubstr("or a key is empty"));
  EXPECT_THAT(refusal("a.json", R"([{"id_1":1,"id":2,"C0":3}])"), HasSubstr("there is no column \"visit\""));
}

}  // namespace
}  // namespace interpole::data
