#include "interpole/data/records/visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/records/patient_ids.hpp"
#include "interpole/data/records/visits_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Step kMonitorNegative{0, 0};
constexpr Step kMonitorPositive{0, 1};
constexpr Step kMonitorUnseen{0, kMissing};
constexpr Step kBiopsyPositive{1, 1};
constexpr Step kDeclareHealthy{2, kMissing};
constexpr Step kDeclareDiseased{3, kMissing};

// A biopsy is never unclear.
Structure clinic_of_visits() {
  Structure structure = Structure::unrestricted({"healthy", "diseased"},
                                                {"monitor", "biopsy", "declare-healthy", "declare-diseased"},
                                                {"negative", "positive", "unclear"});
  structure.allowed[1 * 3 + 2] = 0;
  structure.make_terminal(2);
  structure.make_terminal(3);
  return structure;
}

const std::string kVisitsHeader = "patient,step,action,observation\n";

class VisitsTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  }
  void TearDown() override { fs::remove(path_); }

  const std::string& table(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

  std::vector<Record> records(const std::string& text) {
    return read_records(table(text), clinic_of_visits());
  }

  std::string refusal(const std::string& text) {
    std::string complaint = base::complaint_of([&] { records(text); });
    if (complaint == "accepted") return complaint;
    EXPECT_EQ(complaint.rfind(path_ + ": ", 0), 0U) << complaint;
    return complaint.substr(path_.size() + 2);
  }

  std::string path_;
};

TEST_F(VisitsTest, ReadsRecords) {
  const std::vector<Record> all = records(kVisitsHeader +
                                          "p1,1,monitor,negative\n"
                                          "p1,2,biopsy,positive\n"
                                          "p1,3,declare-diseased,\n"
                                          "p2,1,declare-healthy,\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].patient, "p1");
  EXPECT_THAT(all[0].steps, ElementsAre(kMonitorNegative, kBiopsyPositive, kDeclareDiseased));
  EXPECT_EQ(all[1].patient, "p2");
  EXPECT_THAT(all[1].steps, ElementsAre(kDeclareHealthy));
}

TEST_F(VisitsTest, AllowsGapsMissingOutcomesAndRecordsWithoutAnEnd) {
  const std::vector<Record> all =
      records(kVisitsHeader + "p,-3,monitor,\np,0,monitor,positive\np,7,monitor,negative\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0].steps, ElementsAre(kMonitorUnseen, kMonitorPositive, kMonitorNegative));
}

TEST_F(VisitsTest, AnEmptyCellIsTheOutcomeThatTheStudySaysWhereTheActionCanYieldIt) {
  constexpr Step kMonitorUnclear{0, 2};
  constexpr Step kBiopsyUnseen{1, kMissing};
  Structure structure = clinic_of_visits();
  structure.not_recorded = 2;
  const auto all = read_records(
      table(kVisitsHeader + "p,1,monitor,\np,2,monitor,unclear\np,3,biopsy,\np,4,declare-healthy,\n"),
      structure);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0].steps, ElementsAre(kMonitorUnclear, kMonitorUnclear, kBiopsyUnseen, kDeclareHealthy));
}

TEST_F(VisitsTest, FindsColumnsByNameAmongCovariates) {
  const std::vector<Record> all =
      records("observation,age,step,site,patient,action\npositive,71,1,north,\"Doe, J\",monitor\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].patient, "Doe, J");
  EXPECT_THAT(all[0].steps, ElementsAre(kMonitorPositive));
}

TEST_F(VisitsTest, RecordsMaySpanChunks) {
  std::string text = kVisitsHeader;
  for (int step = 1; step <= 5000; ++step) text += "p," + std::to_string(step) + ",monitor,positive\n";
  const std::vector<Record> all = records(text + "q,1,monitor,negative\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].steps, testing::AllOf(testing::SizeIs(5000), testing::Each(kMonitorPositive)));
  EXPECT_THAT(all[1].steps, ElementsAre(kMonitorNegative));
}

TEST_F(VisitsTest, ReadsGzipAndParquetAlike) {
  const fs::path folder = base::source_folder() / "src/interpole/data/testdata";
  for (const char* name : {"visits.csv.gz", "visits.parquet"}) {
    const std::vector<Record> all = read_records((folder / name).string(), clinic_of_visits());
    ASSERT_EQ(all.size(), 2U) << name;
    EXPECT_THAT(all[0].steps, ElementsAre(kMonitorPositive, kDeclareDiseased)) << name;
    EXPECT_THAT(all[1].steps, ElementsAre(kMonitorUnseen, kMonitorNegative)) << name;
  }
  const Structure without_monitor = Structure::unrestricted({"s"}, {"x"}, {"z"});
  EXPECT_THAT(
      [&] { read_records((folder / "visits.parquet").string(), without_monitor); },
      testing::ThrowsMessage<Error>(HasSubstr("visits.parquet: row 1: column action: \"monitor\" is not")));
}

TEST_F(VisitsTest, GoesStraightIntoTheTree) {
  const std::string text = kVisitsHeader +
                           "p1,1,monitor,negative\np1,2,declare-healthy,\n"
                           "p2,1,monitor,negative\np2,2,monitor,positive\n"
                           "p3,1,monitor,positive\np3,2,declare-diseased,\n";
  const HistoryTree tree = read_history_tree(table(text), clinic_of_visits());
  EXPECT_EQ(tree.records, 3);
  EXPECT_EQ(tree.decisions, 6);
  EXPECT_THAT(tree.counts_at(0), ElementsAre(3, 0, 0, 0));
}

TEST_F(VisitsTest, NamesThePatientOfARecord) {
  table(kVisitsHeader + "p1,1,monitor,\np2,1,monitor,\np2,2,monitor,\np3,1,monitor,\n");
  EXPECT_EQ(record_at(std::span(&path_, 1), clinic_of_visits(), 0).patient, "p1");
  EXPECT_EQ(record_at(std::span(&path_, 1), clinic_of_visits(), 1).patient, "p2");
  EXPECT_EQ(record_at(std::span(&path_, 1), clinic_of_visits(), 2).patient, "p3");
  EXPECT_THAT(
      [&] { record_at(std::span(&path_, 1), clinic_of_visits(), 3); },
      testing::ThrowsMessage<Error>(HasSubstr("there is no record 3 among its 3; was the file changed")));
}

TEST_F(VisitsTest, AnExceptionOfTheVisitorPassesThrough) {
  table(kVisitsHeader + "p1,1,monitor,\np2,1,monitor,\n");
  EXPECT_THROW(
      for_each_record(path_, clinic_of_visits(), [](const RecordView&) { throw std::domain_error("stop"); }),
      std::domain_error);
}

TEST_F(VisitsTest, RefusesEmptyTables) {
  EXPECT_THAT(refusal(""), HasSubstr("the file is empty; its first line must name the columns"));
  EXPECT_THAT(refusal(kVisitsHeader), HasSubstr("there are no rows below the header"));
  EXPECT_THAT(refusal("patient,step,action,observation"), HasSubstr("there are no rows below the header"));
}

TEST_F(VisitsTest, RefusesMissingColumns) {
  EXPECT_EQ(refusal("patient,step,action\np,1,monitor\n"),
            "column \"observation\" is missing; the first line must name the columns patient, step, action "
            "and observation, "
            "and names \"patient\", \"step\", \"action\"");
  EXPECT_THAT(refusal("Patient,step,action,observation\np,1,monitor,\n"),
              HasSubstr("column \"patient\" is missing; is it \"Patient\"?"));
  EXPECT_THAT(refusal("p1,1,monitor,negative\n"),
              HasSubstr("column \"patient\" is missing; the first line must name"));
}

TEST_F(VisitsTest, RefusesBadPatients) {
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,monitor,\n,2,monitor,\n"),
            "row 3: column patient: the cell is empty; every row must name its patient");
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,monitor,\nq,1,monitor,\nr,1,monitor,\nq,2,monitor,\n"),
            "row 5: column patient: patient \"q\" was already in row 3, with other patients between; put the "
            "rows of a "
            "patient together");
}

TEST_F(VisitsTest, RefusesBadSteps) {
  const auto step = [&](const std::string& cell) {
    return refusal(kVisitsHeader + "p,1,monitor,\np," + cell + ",monitor,\n");
  };
  EXPECT_EQ(step("1.0"), "row 3: column step: \"1.0\" is not a whole number; write 1, 2, 3 … (not 1.0)");
  for (const char* bad : {"", "two", "2 ", "+2", "2e0", "0x2", "nan", "99999999999999999999"}) {
    EXPECT_THAT(step(bad),
                HasSubstr("row 3: column step: \"" + std::string(bad) + "\" is not a whole number"))
        << bad;
  }
  EXPECT_EQ(step("1"),
            "row 3: column step: step 1 of patient \"p\" is there twice; keep one row for each step");
  EXPECT_EQ(
      step("0"),
      "row 3: column step: step 0 of patient \"p\" comes after step 1; sort the rows of a patient by step");
  EXPECT_EQ(step("2"), "accepted");
}

TEST_F(VisitsTest, RefusesBadActions) {
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,montor,\n"),
            "row 2: column action: \"montor\" is not an action of this study; did you mean \"monitor\"?");
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,surgery,\n"),
            "row 2: column action: \"surgery\" is not an action of this study; the actions are \"monitor\", "
            "\"biopsy\", "
            "\"declare-healthy\", \"declare-diseased\"");
  EXPECT_THAT(refusal(kVisitsHeader + "p,1,,\n"), HasSubstr("row 2: column action: \"\" is not an action"));
  EXPECT_THAT(refusal(kVisitsHeader + "p,1," + std::string(1000, 'x') + ",\n"),
              HasSubstr("\"" + std::string(40, 'x') + "…\""));
}

TEST_F(VisitsTest, RefusesBadObservations) {
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,monitor,positiv\n"),
            "row 2: column observation: \"positiv\" is not an observation of this study (leave the cell "
            "empty where nothing "
            "was observed); did you mean \"positive\"?");
  EXPECT_THAT(
      refusal(kVisitsHeader + "p,1,monitor,NA\n"),
      HasSubstr(
          "\"NA\" is not an observation of this study (leave the cell empty where nothing was observed)"));
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,monitor,unclear\np,2,biopsy,unclear\n"),
            "row 3: column observation: action \"biopsy\" cannot yield \"unclear\"; correct the cell, or "
            "list it among the "
            "action's outcomes");
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,declare-healthy,negative\n"),
            "row 2: column observation: \"negative\" after \"declare-healthy\", which ends the record and "
            "yields nothing; "
            "leave the cell empty");
}

TEST_F(VisitsTest, RefusesStepsAfterATerminalAction) {
  EXPECT_EQ(refusal(kVisitsHeader + "p,1,declare-healthy,\np,2,monitor,negative\n"),
            "row 3: column action: patient \"p\" goes on after \"declare-healthy\", which ends a record; "
            "remove this row or "
            "make the action not terminal");
}

TEST_F(VisitsTest, NumbersRowsAcrossChunks) {
  std::string text = kVisitsHeader;
  for (int row = 2; row <= 4999; ++row) text.append("p").append(std::to_string(row)).append(",1,monitor,\n");
  EXPECT_THAT(refusal(text + "x,1,oops,\n"), HasSubstr("row 5000: column action: \"oops\""));
}

TEST(PatientIds, RemembersEveryPatientWhileGrowing) {
  PatientIds ids;
  for (int i = 0; i < 100'000; ++i) ASSERT_FALSE(ids.seen_before("patient-" + std::to_string(i))) << i;
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(ids.seen_before("patient-" + std::to_string(i))) << i;
}

}  // namespace
}  // namespace interpole::data
