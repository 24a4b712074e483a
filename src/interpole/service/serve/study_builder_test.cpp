#include "interpole/service/serve/study_builder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/service/serve/builder_json.hpp"
#include "interpole/service/serve/builder_routes.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string clinic_table() {
  std::string text = "who,day,score,done\n";
  for (int p = 0; p < 30; ++p) {
    for (int v = 0; v < 5; ++v) {
      const int score = (p * 7 + v * 5) % 10;
      text += std::to_string(p) + "," + std::to_string(v) + "," + std::to_string(score) + "," +
              (score > 5 ? "scan" : "wait") + "\n";
    }
  }
  return text;
}

Json chosen(StudyBuilder& builder) {
  return Json::parse(builder.state_json())["choice"];
}

TEST(StudyBuilder, HasNothingToSayBeforeThereIsATable) {
  StudyBuilder builder;
  EXPECT_FALSE(builder.has_table());
  EXPECT_EQ(builder.state_json(), R"({"table":null})");
  EXPECT_THAT(base::complaint_of([&] { builder.choose("{}"); }), HasSubstr("there is no table yet"));
  EXPECT_FALSE(builder.files());
}

TEST(StudyBuilder, TakesATableAndMakesAStudyOfTheChoice) {
  StudyBuilder builder;
  builder.take("../../a b.csv", clinic_table());
  const Json state = Json::parse(builder.state_json());
  EXPECT_EQ(state["table"]["name"], "a_b.csv");
  EXPECT_EQ(state["table"]["rows"], 150);
  EXPECT_EQ(state["choice"]["id"], "who");
  Json choice = chosen(builder);
  choice["states"] = {"well", "ill"};
  const Json built = Json::parse(builder.choose(choice.dump()));
  EXPECT_EQ(built["trouble"], "");
  EXPECT_EQ(built["check"]["patients"], 30);
  EXPECT_EQ(built["preview"].size(), 5u);
  EXPECT_THAT(built["study"].get<std::string>(), HasSubstr("states = [\"well\", \"ill\"]"));
  EXPECT_EQ(chosen(builder)["states"], choice["states"]) << "is remembered for a page that is opened again";
  const auto files = builder.files();
  ASSERT_TRUE(files);
  EXPECT_EQ(files->study_name, "a_b.toml");
  EXPECT_EQ(files->table_name, "a_b.csv");
  const auto later = builder.files();
  EXPECT_NE(files->study, later->study) << "a fit reads a file that does not change";
}

TEST(StudyBuilder, SaysWhatIsWrongAndLeavesTheRestInSight) {
  StudyBuilder builder;
  builder.take("t.csv", clinic_table());
  Json choice = chosen(builder);
  choice["states"] = {"one", "one"};
  const Json built = Json::parse(builder.choose(choice.dump()));
  EXPECT_THAT(built["trouble"].get<std::string>(), HasSubstr("states"));
  EXPECT_FALSE(built["roles"].is_null());
  EXPECT_TRUE(built["check"].is_null());
  EXPECT_FALSE(builder.files());
  choice["id"] = "nobody";
  EXPECT_TRUE(Json::parse(builder.choose(choice.dump()))["roles"].is_null());
}

TEST(StudyBuilder, KeepsTheTableFromBeforeIfAnotherCannotBeRead) {
  StudyBuilder builder;
  builder.take("good.csv", clinic_table());
  const std::string complaint = base::complaint_of([&] { builder.take("bad.csv", "a,b\n"); });
  EXPECT_THAT(complaint, HasSubstr("bad.csv"));
  EXPECT_THAT(complaint, Not(HasSubstr("/"))) << "where a private file lies is nothing to tell";
  EXPECT_EQ(Json::parse(builder.state_json())["table"]["name"], "good.csv");
}

TEST(StudyBuilder, WithholdsSmallCountsOfAHistogram) {
  StudyBuilder builder;
  builder.take("t.csv", clinic_table());
  Json choice = chosen(builder);
  choice["factors"] = {{{"column", "score"}, {"seen", "before"}, {"cuts", {5}}, {"levels", Json::array()}}};
  const Json histogram = Json::parse(builder.choose(choice.dump()))["roles"]["factors"][0]["histogram"];
  for (const Json& count : histogram["counts"]) EXPECT_TRUE(count.is_null() || count == 0 || count >= 11);
}

TEST(StudyBuilder, TablesAreGoneWithTheSession) {
  std::string study;
  {
    StudyBuilder builder;
    builder.take("t.csv", clinic_table());
    builder.choose(chosen(builder).dump());
    study = builder.files()->study;
    EXPECT_TRUE(std::filesystem::exists(study));
  }
  EXPECT_FALSE(std::filesystem::exists(study));
}

TEST(BuilderJson, RefusesWhatIsNoChoice) {
  const auto complaint = [](const std::string& body) {
    return base::complaint_of([&] { parse_choice(body); });
  };
  EXPECT_THAT(complaint("["), HasSubstr("the choice"));
  EXPECT_THAT(complaint(R"({"colour": "red"})"), HasSubstr("colour: not known"));
  EXPECT_THAT(complaint(R"({"states": "two"})"), HasSubstr("states"));
  EXPECT_THAT(complaint(R"({"by_presence": 1})"), HasSubstr("neither true nor false"));
  EXPECT_THAT(complaint(R"({"factors": [{"seen": "during"}]})"), HasSubstr("choose \"before\" or \"after\""));
  EXPECT_THAT(complaint(R"({"factors": [{"cuts": ["x"]}]})"), HasSubstr("factors[0].cuts[0]"));
  EXPECT_THAT(complaint(R"({"factors": [{"name": "x"}]})"), HasSubstr("not known"));
}

TEST(BuilderRoutes, ReadNamesOutOfQueries) {
  EXPECT_EQ(query_value("name=a%20b.csv", "name"), "a b.csv");
  EXPECT_EQ(query_value("x=1&name=%C3%A4.csv&y", "name"), "\xC3\xA4.csv");
  EXPECT_EQ(query_value("name=50%", "name"), "50%");
  EXPECT_EQ(query_value("names=1", "name"), "");
  EXPECT_EQ(query_value("", "name"), "");
}

TEST(BuilderRoutes, NamesOfFilesCannotLeaveTheirFolder) {
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "passwd");
  EXPECT_EQ(safe_file_name("..\\x y.csv"), "x_y.csv");
  EXPECT_EQ(safe_file_name(".."), "table.csv");
  EXPECT_EQ(safe_file_name(""), "table.csv");
  EXPECT_EQ(safe_file_name(std::string("a\0b.csv", 7)), "a_b.csv");
  EXPECT_EQ(safe_file_name(std::string(500, 'x') + ".csv").size(), 100u);
}

TEST(BuilderRoutes, AllNeedTheTokenAndOnlyTablesMayBeLarge) {
  StudyBuilder builder;
  for (const server::HttpRoute& route : builder_routes(builder)) {
    EXPECT_FALSE(route.open);
    EXPECT_EQ(route.most_body, route.path == "/api/table" ? kMostTableBytes : 0u) << route.path;
    if (route.method != "POST") continue;
    const server::HttpResponse refused = route.answer({"POST", route.path, "name=x.csv", {}, "a,b\n"});
    EXPECT_EQ(refused.status, 400) << route.path;
  }
}

}  // namespace
}  // namespace interpole::service
