#include "interpole/service/study/study_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/service/model_study.hpp"
#include "interpole/service/study/study_warnings.hpp"

namespace interpole::service {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kMapped = R"(format = "interpole-study"
version = 1
name = "clinic"
states = ["well", "ill"]
[[actions]]
name = "wait"
[[actions]]
name = "scan"
[source]
tables = ["visits"]
[record]
id = "id"
order = "visit"
kind = "number"
[action]
column = "act"
[[factors]]
name = "score"
column = "score"
kind = "numeric"
bins = { sd = 1 }
[[factors]]
name = "size"
column = "size"
kind = "categorical"
levels = ["small", "large"]
yielded_by = ["scan"]
)";

class StudyTaskTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name), std::ios::binary) << text;
    return folder_.file(name);
  }

  StudyCheck check(const std::string& study, const std::string& table) {
    return run_study_check({file("s.toml", study), data_file(file("t.csv", table))}, quiet_sink());
  }

  const base::TemporaryFolder folder_;
};

TEST_F(StudyTaskTest, CountsWhatAMappedStudyKeeps) {
  const StudyCheck result =
      check(kMapped,
            "id,visit,act,score,size\n"
            "1,1,wait,1,\n1,2,scan,2,small\n2,1,wait,3,\n2,2,scan,,large\n,1,wait,1,\n");
  ASSERT_TRUE(result.summary && result.mapping);
  EXPECT_EQ(result.summary->patients, 2);
  EXPECT_EQ(result.summary->decisions, 4);
  EXPECT_EQ(result.summary->without_outcome, 1);
  EXPECT_THAT(result.summary->actions, ElementsAre(2, 2));
  EXPECT_EQ(result.mapping->attrition.rows_in, 5);
  EXPECT_THAT(result.mapping->factors[1].levels, ElementsAre(1, 1, 2));

  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["attrition"]["dropped"][0]["reason"], "no id (record id)");
  EXPECT_EQ(json["attrition"]["dropped"][0]["rows"], 1);
  EXPECT_EQ(json["attrition"]["rows_kept"], 4);
  EXPECT_EQ(json["factors"][0]["mean"], 2.0);
  EXPECT_EQ(json["factors"][0]["spread"], 1.0);
  EXPECT_EQ(json["factors"][1]["levels"]["not ordered"], 2);
  EXPECT_EQ(json["masks"]["wait"].size(), 3U);
  EXPECT_EQ(json["lengths"]["2"], 2);
  EXPECT_EQ(json["actions"]["scan"], 2);
}

TEST_F(StudyTaskTest, ChecksAVisitsTableToo) {
  const std::string study =
      "format = \"interpole-study\"\nversion = 1\nstates = [\"a\", \"b\"]\nobservations = [\"no\", \"yes\"]\n"
      "[[actions]]\nname = \"watch\"\n[[actions]]\nname = \"stop\"\nterminal = true\n";
  const StudyCheck result =
      check(study, "patient,step,action,observation\np,1,watch,no\np,2,stop,\nq,1,watch,\n");
  EXPECT_FALSE(result.mapping.has_value());
  EXPECT_EQ(result.summary->without_outcome, 1);
  EXPECT_THAT(result.summary->observations, ElementsAre(1, 0));
  EXPECT_EQ(result.summary->histories, 2);
  EXPECT_FALSE(nlohmann::json::parse(to_json(result)).contains("attrition"));
}

TEST_F(StudyTaskTest, ChecksAStudyWithoutData) {
  const StudyCheck result = run_study_check({file("s.toml", kMapped), {}}, quiet_sink());
  EXPECT_FALSE(result.summary.has_value());
  EXPECT_EQ(nlohmann::json::parse(to_json(result))["states"].size(), 2U);
}

TEST_F(StudyTaskTest, WarnsOfWhatTeachesNothing) {
  std::string table = "id,visit,act,score,size\n";
  for (int id = 1; id <= 20; ++id) table += std::to_string(id) + ",1,wait,1,large\n";
  const StudyCheck result = check(kMapped, table);
  EXPECT_THAT(result.warnings, Contains(HasSubstr("every record has one visit only")));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("action \"scan\" is never taken")));
  EXPECT_THAT(result.warnings, Contains("factor \"score\" never varies: it teaches nothing"));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("factor \"size\" has no value at any visit")));
  EXPECT_THAT(result.warnings,
              Contains(HasSubstr("factor \"size\" has a value at 20 visits whose action does not yield it")));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("possible outcomes are seen at fewer than 5 visits")));
}

TEST_F(StudyTaskTest, WarnsOfFewPatientsAndManyMissingOutcomes) {
  const std::string header = "id,visit,act,score,size\n";
  EXPECT_THAT(check(kMapped, header + "1,1,wait,1,\n1,2,wait,,\n").warnings,
              testing::AllOf(Contains(HasSubstr("there is one patient only")),
                             Contains(HasSubstr("50% of visits have no outcome"))));
  std::string three = kMapped;
  three.replace(three.find("\"well\", \"ill\""), 13, "\"well\", \"ill\", \"worse\"");
  EXPECT_THAT(check(three, header + "1,1,wait,1,\n2,1,wait,2,\n").warnings,
              Contains(HasSubstr("there are more states (3) than patients (2)")));
}

TEST_F(StudyTaskTest, NoRecordIsAResultThatSaysWhereTheyWent) {
  const StudyCheck result = check(kMapped, "id,visit,act,score,size\n,1,wait,1,\n1,,wait,1,\n");
  EXPECT_EQ(result.summary->patients, 0);
  EXPECT_EQ(result.mapping->attrition.rows_in, 2);
  EXPECT_THAT(result.warnings, ElementsAre("no record is left: there is nothing to learn from"));
}

TEST_F(StudyTaskTest, NamesNoPatient) {
  const StudyCheck result =
      check(kMapped, "id,visit,act,score,size\nJaneDoe,1,wait,1,\nJaneDoe,2,scan,2,small\n");
  EXPECT_THAT(to_json(result), Not(HasSubstr("JaneDoe")));
}

TEST_F(StudyTaskTest, AModelIsReadWithItsOwnStudyOnly) {
  const std::string path = file("s.toml", kMapped);
  const Structure structure = read_study(path).structure;
  const auto complaint = [&](const Structure& other) {
    return base::complaint_of([&] { study_of_model(path, "m.json", other); });
  };
  EXPECT_EQ(complaint(structure), "accepted");
  Structure other = structure;
  other.states[1] = "sick";
  EXPECT_EQ(complaint(other),
            path +
                ": not the study of m.json: states[1] is \"ill\" in the study and \"sick\" in the "
                "model; use the study the model was fitted with");
  other = structure;
  other.actions.emplace_back("more");
  EXPECT_THAT(complaint(other), HasSubstr("actions[2] is absent in the study and \"more\" in the model"));
  other = structure;
  other.allowed[0] = 1;
  EXPECT_THAT(complaint(other),
              HasSubstr("action \"wait\" cannot yield \"below | small\" in the study, and can in the model"));
  other = structure;
  other.make_terminal(1);
  EXPECT_THAT(complaint(other),
              HasSubstr("action \"scan\" is not terminal in the study and terminal in the model"));
  EXPECT_FALSE(study_of_model("", "m.json", structure).mapping.has_value());
}

}  // namespace
}  // namespace interpole::service
