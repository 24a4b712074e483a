#include "interpole/service/explorer/explorer_data.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/stops_after_testing.hpp"
#include "interpole/data/records/visits_testing.hpp"
#include "interpole/error.hpp"
#include "interpole/model_file.hpp"
#include "interpole/service/explorer/explorer_json.hpp"
#include "interpole/service/explorer/explorer_records.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kModel[] = R"({"format": "interpole-model", "version": 1,
  "states": ["well", "ill"], "actions": ["wait", "test", "stop"], "observations": ["low", "high"],
  "initial_belief": [0.7, 0.3], "transition": [[[0.9,0.1],[0,1]], [[0.9,0.1],[0,1]], [[1,0],[0,1]]],
  "observation": [[[0.5,0.5],[0.5,0.5]], [[0.9,0.1],[0.123456789012345678,0.876543210987654322]], null],
  "inverse_temperature": 7, "means": [[0.9,0.1],[0.5,0.5],[-0.2,1.2]],
  "fit": {"converged": false, "mode_details": [{"log_posterior": -3.5, "restarts": 3}, {"log_posterior": -9, "restarts": 1}],
          "policy_identified": true, "labels": {"ambiguous": false},
          "decided_by_prior": [{"involved": ["gap of observation[test,ill]", "world.transition[wait,well]"]}]}})";

class ExplorerData : public ::testing::Test {
 protected:
  ExplorerData() { request_.model = write("model.json", kModel); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }

  // Patients 0 … count − 1, whose records differ in length and outcomes, in this order.
  void write_visits(const std::vector<int>& patients) {
    std::string text = "patient,step,action,observation\n";
    for (const int i : patients) {
      int step = 1;
      for (int t = 0; t < 1 + i % 4; ++t) {
        text += fmt::format("id-{},{},{},{}\n", i, step++, (i + t) % 3 == 0 ? "wait" : "test",
                            (i * 7 + t * 3) % 5 < 2 ? "high"
                            : t % 2 == 0            ? "low"
                                                    : "");
      }
      if (i % 2 == 0) text += fmt::format("id-{},{},stop,\n", i, step);
    }
    request_.data = data_file(write("visits.csv", text));
  }

  static std::vector<int> numbers(int count) {
    std::vector<int> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), 0);
    return list;
  }

  Json document() { return Json::parse(explorer_json(request_, quiet_sink())); }

  const base::TemporaryFolder folder_;
  ExplorerRequest request_;
};

TEST_F(ExplorerData, OfRecordsInMemoryIsThatOfTheirTable) {
  write_visits(numbers(40));
  const FitResult fit = read_fit(request_.model);
  const auto records = data::read_records(request_.data.tables[0].second, fit.model.structure);
  const std::string of_table = explorer_json(request_, quiet_sink());
  request_.data = {};
  request_.records = records;
  EXPECT_EQ(explorer_document(request_, fit, quiet_sink()).json, of_table);
}

TEST_F(ExplorerData, HasEveryPartOfTheFormat) {
  write_visits(numbers(40));
  const Json json = document();
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("audit", "bias", "boundaries", "can_refit", "check", "cohorts", "counts",
                                "draws", "examples", "factors", "facts", "findings", "format", "groups",
                                "individual", "made_by", "min_cell", "model", "program", "records", "refit",
                                "shares", "title", "version", "warnings"));
  EXPECT_EQ(json["format"], "interpole-explorer");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["made_by"], "report");
  EXPECT_EQ(json["counts"]["patients"], 40);
  EXPECT_EQ(json["audit"]["tests"].size(), 3u);
  EXPECT_EQ(json["audit"]["instead"].size(), 3u);
  EXPECT_EQ(json["audit"]["instead"][1].size(), 2u);
  EXPECT_EQ(json["factors"]["level"].size(), 2u);
}

TEST_F(ExplorerData, NumbersOfTheModelAreExact) {
  write_visits(numbers(12));
  const Json model = document()["model"];
  EXPECT_EQ(model["observation"][1][1][0].get<double>(), 0.123456789012345678);
  EXPECT_TRUE(model["observation"][2].is_null());
  EXPECT_EQ(model["terminal"], Json::parse("[false, false, true]"));
  EXPECT_EQ(model["allowed"], Json::parse("[[true,true],[true,true],[false,false]]"));
  EXPECT_TRUE(model["world"].is_null());
}

TEST_F(ExplorerData, OrderFollowsFromTheRecordsNotFromTheTable) {
  write_visits(numbers(30));
  const Json forwards = document()["records"]["steps"];
  auto reversed = numbers(30);
  std::reverse(reversed.begin(), reversed.end());
  write_visits(reversed);
  EXPECT_EQ(document()["records"]["steps"], forwards);
  request_.seed = 2;
  EXPECT_NE(document()["records"]["steps"], forwards);
}

TEST_F(ExplorerData, StepsAreCodedByActionAndOutcome) {
  request_.data = data_file(
      write("visits.csv", "patient,step,action,observation\na,1,wait,\na,2,test,high\na,3,stop,\n"));
  request_.min_cell = 0;
  EXPECT_EQ(document()["records"]["steps"], Json::parse("[[0, 5, 6]]"));
}

TEST_F(ExplorerData, IdentifiersAreThereOnRequestOnly) {
  write_visits(numbers(15));
  EXPECT_TRUE(document()["records"]["ids"].is_null());
  request_.allow_individual = true;
  const Json json = document();
  EXPECT_TRUE(json["individual"].get<bool>());
  EXPECT_EQ(json["records"]["ids"].size(), 15u);
  EXPECT_EQ(json["records"]["visits"][0][0], "1");
}

TEST_F(ExplorerData, ARandomPartOfThePatientsIsWholePatients) {
  write_visits(numbers(60));
  const auto all = document()["records"]["steps"].get<std::vector<std::vector<int>>>();
  request_.most_visits = 50;
  const Json records = document()["records"];
  EXPECT_TRUE(records["sampled"].get<bool>());
  std::size_t visits = 0;
  for (std::size_t i = 0; i < records["steps"].size(); ++i) {
    EXPECT_EQ(records["steps"][i].get<std::vector<int>>(), all[i]);
    visits += all[i].size();
  }
  EXPECT_LE(visits, 50u);
  EXPECT_GT(visits, 40u);
}

TEST_F(ExplorerData, SaysHowTheFitWent) {
  write_visits(numbers(30));
  const Json json = document();
  EXPECT_EQ(json["check"]["converged"], false);
  EXPECT_EQ(json["check"]["identified"], true);
  EXPECT_EQ(json["check"]["modes"][0]["share"], 0.75);
  EXPECT_THAT(json["check"]["weak"].get<std::vector<std::string>>(),
              ElementsAre("whether decision-maker and world differ in what \"test\" shows if the patient is "
                          "\"ill\"",
                          "how \"well\" changes after \"wait\", in the world"));
  EXPECT_THAT(json["warnings"][0].get<std::string>(), HasSubstr("did not converge"));
  EXPECT_LT(json["check"]["log_likelihood"]["total"].get<double>(), 0.0);
}

TEST_F(ExplorerData, ExamplesPointIntoTheRecordsGiven) {
  write_visits(numbers(60));
  const Json json = document();
  ASSERT_FALSE(json["examples"].empty());
  for (const auto& [kind, example] : json["examples"].items()) {
    const auto record = example["record"].get<std::size_t>();
    ASSERT_LT(record, json["records"]["steps"].size()) << kind;
    if (!example["visit"].is_null()) {
      EXPECT_LT(example["visit"].get<std::size_t>(), json["records"]["steps"][record].size()) << kind;
    }
  }
}

TEST_F(ExplorerData, OfTwoModelsHasTheSecondBesideTheFirst) {
  std::string text = kModel;
  text.replace(text.find("[0.7, 0.3]"), 10, "[0.2, 0.8]");
  request_.beside = write("other.json", text);
  write_visits(numbers(40));
  const Json both = document();
  const Json& beside = both["beside"];
  EXPECT_EQ(beside["names"], Json::parse(R"(["first", "second"])"));
  EXPECT_EQ(beside["model"]["initial_belief"], Json::parse("[0.2, 0.8]"));
  EXPECT_EQ(beside["check"]["converged"], false);
  EXPECT_FALSE(beside["check"]["checks"].empty());
  // What is said of the second is what its own page would say, and the difference is that of the two.
  std::swap(request_.model, request_.beside);
  const Json swapped = document();
  EXPECT_EQ(beside["check"]["scores"], swapped["check"]["scores"]);
  EXPECT_EQ(beside["boundaries"], swapped["boundaries"]);
  for (const char* score : {"log_loss", "auroc"}) {
    const double second = swapped["check"]["scores"][score]["value"].get<double>();
    const double first = both["check"]["scores"][score]["value"].get<double>();
    EXPECT_NEAR(beside["paired"][score]["middle"].get<double>(), second - first, 1e-12) << score;
    EXPECT_DOUBLE_EQ(swapped["beside"]["paired"][score]["middle"].get<double>(), first - second) << score;
    EXPECT_LE(beside["paired"][score]["low"].get<double>(), second - first) << score;
    EXPECT_GE(beside["paired"][score]["high"].get<double>(), second - first) << score;
  }
}

TEST_F(ExplorerData, AModelBesideItselfDiffersByNothing) {
  request_.beside = request_.model;
  write_visits(numbers(40));
  const Json paired = document()["beside"]["paired"];
  for (const char* end : {"low", "middle", "high"}) EXPECT_EQ(paired["log_loss"][end], 0.0);
}

TEST_F(ExplorerData, RefusesASecondModelOfAnotherStructure) {
  std::string text = kModel;
  text.replace(text.find("\"wait\""), 6, "\"pause\"");
  request_.beside = write("other.json", text);
  write_visits(numbers(15));
  const std::string complaint = base::complaint_of([&] { document(); });
  EXPECT_THAT(complaint, HasSubstr("other.json: not a model of the same structure as "));
  EXPECT_THAT(complaint, HasSubstr("actions[0] is \"wait\" in"));
  EXPECT_THAT(complaint, HasSubstr("\"pause\""));
}

TEST_F(ExplorerData, RefusesASecondModelThatCallsARecordImpossible) {
  std::string text = kModel;
  text.replace(text.find("[0.9,0.1],[0.123456789012345678,0.876543210987654322]"), 53, "[1,0],[1,0]");
  request_.beside = write("other.json", text);
  write_visits(numbers(15));
  const std::string complaint = base::complaint_of([&] { document(); });
  EXPECT_THAT(complaint, HasSubstr("id-"));
  EXPECT_THAT(complaint, HasSubstr("other.json"));
}

TEST_F(ExplorerData, WordsOfTheStudyAreGivenAsStated) {
  write_visits(numbers(15));
  const std::string study = R"(format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "high"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
)";
  request_.study = write("s.toml", study);
  EXPECT_FALSE(document().contains("words"));
  request_.study = write("s.toml", study + "[words]\npatient = \"stay\"\nbelated = \"late\"\n");
  EXPECT_EQ(document()["words"], Json::parse(R"({"belated": ["late"], "patient": ["stay", "stays"]})"));
}

TEST_F(ExplorerData, CohortsLeadToTheirRecordsOnlyWhereIdentifiersMayBeShown) {
  std::string text = "patient,step,action,observation,age\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("id-{},1,test,{},{}\n", i, i % 3 == 0 ? "high" : "low", i);
  request_.data = data_file(write("visits.csv", text));
  request_.cohorts = {"age >= 18"};
  EXPECT_FALSE(document()["cohorts"]["rows"][1].contains("records"));
  request_.allow_individual = true;
  const Json json = document();
  EXPECT_FALSE(json["cohorts"]["rows"][0].contains("records"));
  const auto records = json["cohorts"]["rows"][1]["records"].get<std::vector<std::size_t>>();
  EXPECT_EQ(records.size(), 12u);
  for (const std::size_t record : records) {
    EXPECT_GE(std::stoi(json["records"]["ids"][record].get<std::string>().substr(3)), 18);
  }
}

TEST_F(ExplorerData, AnImpossibleOutcomeIsAnErrorThatNamesThePatient) {
  std::string text = kModel;
  text.replace(text.find("[0.9,0.1],[0.123456789012345678,0.876543210987654322]"), 53, "[1,0],[1,0]");
  request_.model = write("model.json", text);
  write_visits(numbers(15));
  EXPECT_THAT(base::complaint_of([&] { document(); }), HasSubstr("id-"));
}

TEST_F(ExplorerData, StopsWhenAsked) {
  base::StopsAfter sink(0);
  write_visits(numbers(15));
  EXPECT_THROW(explorer_json(request_, sink), Error);
}

GroupsOutcome three_groups() {
  GroupsOutcome outcome;
  outcome.structure = Structure::unrestricted({"a", "b"}, {"x", "y"}, {"z"});
  outcome.groups = {"north", "south", "west"};
  outcome.fit.policies.assign(3, Policy{1.0, {1, 0, 0, 1}});
  return outcome;
}

TEST(ExplorerGroups, HaveTheSizesThatMayBeToldBesideCohorts) {
  const ExplorerJson json =
      explorer_groups_json(three_groups(), {{"north", 40}, {"south", std::nullopt}, {"west", 30}});
  EXPECT_EQ(json["groups"][0]["patients"], 40);
  EXPECT_TRUE(json["groups"][1]["patients"].is_null());
}

TEST(ExplorerCohorts, RowsThatSayNothingKeepTheirNamesToThemselves) {
  explain::CohortTables tables;
  tables.rows.resize(2);
  tables.rows[0].name = "all patients";
  tables.rows[0].patients = 100;
  tables.rows[1].name = "genotype = rare";
  EXPECT_EQ(explorer_cohorts_json(tables, false)["rows"].size(), 1u);
  EXPECT_EQ(explorer_cohorts_json(tables, true)["rows"].size(), 2u);
}

}  // namespace
}  // namespace interpole::service
