#include "interpole/data/mapping/mapped_table.hpp"

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

using MappedTableTest = MappedTest;

// Outcomes: low|small 0, low|large 1, low|not ordered 2, high|small 3, high|large 4, high|not ordered 5.
TEST_F(MappedTableTest, MakesRecordsInOrderOfVisitsWhateverTheOrderOfRows) {
  const std::string table = kClinicHeader +
                            "2,m06,scan,7,large\n"
                            "10,bl,wait,3,\n"
                            "2,bl,wait,5,\n"
                            "x,bl,scan,1,small\n";
  EXPECT_THAT(records({}, table), ElementsAre("2: wait/2@bl scan/4@m06", "10: wait/2@bl", "x: scan/0@bl"));
}

TEST_F(MappedTableTest, TellsIdsApartThatLookAlikeAsNumbers) {
  EXPECT_THAT(records({}, kClinicHeader + "7,bl,wait,1,\n007,bl,wait,9,\n7.0,bl,wait,1,\n7,m06,wait,9,\n"),
              ElementsAre("7: wait/2@bl wait/5@m06", "007: wait/5@bl", "7.0: wait/2@bl"));
}

TEST_F(MappedTableTest, TakesEmptyBlankAndListedCellsForMissing) {
  MappingReport report;
  const std::string table =
      kClinicHeader + "1,bl,wait,,\n2,bl,wait,  ,\n3,bl,wait,NA,\n4,bl,wait, -4 ,\n5,bl,wait, 3 ,\n";
  EXPECT_THAT(records({}, table, &report),
              ElementsAre("1: wait/-@bl", "2: wait/-@bl", "3: wait/-@bl", "4: wait/-@bl", "5: wait/2@bl"));
  EXPECT_EQ(report.factors[0].missing, 4);
  EXPECT_THAT(report.factors[0].levels, ElementsAre(1, 0));
  EXPECT_THAT(report.factors[1].levels, ElementsAre(0, 0, 5));
}

TEST_F(MappedTableTest, AMissingFactorMakesTheWholeOutcomeMissing) {
  MappingReport report;
  EXPECT_THAT(records({}, kClinicHeader + "1,bl,scan,3,\n1,m06,scan,,small\n", &report),
              ElementsAre("1: scan/-@bl scan/-@m06"));
  EXPECT_EQ(report.factors[0].missing, 1);
  EXPECT_EQ(report.factors[1].missing, 1);
}

TEST_F(MappedTableTest, AFactorsOwnMissingCodesCountForItsColumnOnly) {
  ClinicStudy study;
  study.factors.replace(study.factors.find("cuts = [5]"), 10, "cuts = [5]\nmissing = [\" -1\"]");
  EXPECT_THAT(records(study, kClinicHeader + "-1,bl,wait,-1,\n"), ElementsAre("-1: wait/-@bl"));
  study.source += "sql = \"SELECT * FROM visits\"\n";
  EXPECT_THAT(records(study, kClinicHeader + "-1,bl,wait,-1,\n"), ElementsAre("-1: wait/-@bl"));
}

TEST_F(MappedTableTest, IgnoresAndCountsValuesThatTheActionDoesNotYield) {
  MappingReport report;
  EXPECT_THAT(records({}, kClinicHeader + "1,bl,wait,3,large\n1,m06,wait,3,nonsense\n", &report),
              ElementsAre("1: wait/2@bl wait/2@m06"));
  EXPECT_EQ(report.factors[1].ignored, 2);
}

TEST_F(MappedTableTest, DropsAndCountsRowsWithoutIdVisitOrKnownCode) {
  MappingReport report;
  const std::string table =
      kClinicHeader + ",bl,wait,1,\n1,,wait,1,\n1,sc,wait,1,\n1,bl,wait,1,\n2,nv,wait,1,\n2,uns1,wait,1,\n";
  EXPECT_THAT(records({}, table, &report), ElementsAre("1: wait/2@bl"));
  EXPECT_EQ(dropped(report, "no id (record id)"), "1/0");
  EXPECT_EQ(dropped(report, "no visit (visit)"), "1/0");
  EXPECT_EQ(dropped(report, "other visit than the study's codes"), "3/1");
  EXPECT_EQ(report.attrition.rows_in, 6);
  EXPECT_EQ(report.attrition.patients_in, 2);
  EXPECT_EQ(report.attrition.rows_kept, 1);
  EXPECT_EQ(report.attrition.patients_kept, 1);
}

TEST_F(MappedTableTest, FiltersByAConditionAndRequiredColumnsFirstReasonWins) {
  ClinicStudy study;
  study.rest = "[filters]\nwhere = \"score::DOUBLE < 9 -- or so\"\nrequired = [\"size\", \"act\"]\n";
  MappingReport report;
  const std::string table = kClinicHeader +
                            "1,bl,scan,9,small\n"  // not where
                            "1,m06,scan,,small\n"  // unknown is not wanted either
                            "1,m12,,3,\n"          // lacks both: size is first
                            "1,m18,,3,small\n"     // lacks the action
                            "2,bl,scan,3,small\n";
  EXPECT_THAT(records(study, table, &report), ElementsAre("2: scan/0@bl"));
  EXPECT_EQ(dropped(report, "not where the study wants it"), "2/0");
  EXPECT_EQ(dropped(report, "no size"), "1/0");
  EXPECT_EQ(dropped(report, "no act"), "1/1");
}

TEST_F(MappedTableTest, RecordsBeginWithTheFirstVisit) {
  ClinicStudy study;
  study.record += "first = \"m06\"\n";
  MappingReport report;
  const std::string table =
      kClinicHeader + "1,bl,wait,1,\n1,m06,wait,1,\n1,m12,wait,1,\n2,bl,wait,1,\n2,m12,wait,1,\n";
  EXPECT_THAT(records(study, table, &report), ElementsAre("1: wait/2@m06 wait/2@m12"));
  EXPECT_EQ(dropped(report, "before first visit \"m06\""), "1/0");
  EXPECT_EQ(dropped(report, "record without first visit \"m06\""), "2/1");
}

TEST_F(MappedTableTest, CutsDropsOrKeepsRecordsAtGaps) {
  const std::string table =
      kClinicHeader + "1,bl,wait,1,\n1,m12,wait,1,\n1,m18,wait,1,\n2,bl,wait,1,\n2,m06,wait,1,\n";
  MappingReport report;
  ClinicStudy study;
  const std::string record = study.record;
  study.record = record + "spacing = 1\n";
  EXPECT_THAT(records(study, table, &report), ElementsAre("1: wait/2@bl", "2: wait/2@bl wait/2@m06"));
  EXPECT_EQ(dropped(report, "after a gap"), "2/0");
  study.record = record + "spacing = 1\ngaps = \"drop\"\n";
  EXPECT_THAT(records(study, table, &report), ElementsAre("2: wait/2@bl wait/2@m06"));
  EXPECT_EQ(dropped(report, "record with a gap"), "3/1");
  study.record = record + "spacing = 1\ngaps = \"keep\"\n";
  EXPECT_THAT(records(study, table),
              ElementsAre("1: wait/2@bl wait/2@m12 wait/2@m18", "2: wait/2@bl wait/2@m06"));
  study.record = record + "spacing = 1\ntolerance = 1\n";
  EXPECT_THAT(records(study, table),
              ElementsAre("1: wait/2@bl wait/2@m12 wait/2@m18", "2: wait/2@bl wait/2@m06"));
}

TEST_F(MappedTableTest, OrdersByNumber) {
  ClinicStudy study;
  study.record = "[record]\nid = \"id\"\norder = \"visit\"\nkind = \"number\"\nspacing = 0.1\nfirst = 0\n";
  MappingReport report;
  // 0.3 − 0.2 and 0.4 − 0.3 are not exactly 0.1 in binary; 10 comes after 9.
  const std::string table = kClinicHeader +
                            "1,0.4,wait,1,\n1,0.1,wait,1,\n1,0.3,wait,1,\n1,0.2,wait,1,\n1,0,wait,1,\n"
                            "1,-1,wait,1,\n1,10,wait,1,\n1,9,wait,1,\n";
  EXPECT_THAT(records(study, table, &report),
              ElementsAre("1: wait/2@0 wait/2@0.1 wait/2@0.2 wait/2@0.3 wait/2@0.4"));
  EXPECT_EQ(dropped(report, "before first visit 0"), "1/0");
  EXPECT_EQ(dropped(report, "after a gap"), "2/0");
}

TEST_F(MappedTableTest, OrdersByDateInDays) {
  ClinicStudy study;
  study.record = "[record]\nid = \"id\"\norder = \"visit\"\nkind = \"date\"\nspacing = 182\ntolerance = 30\n";
  MappingReport report;
  const std::string table = kClinicHeader +
                            "1,2006-03-01,wait,1,\n1,2005-09-08,wait,1,\n1,2006-03-05,wait,1,\n"
                            "1,2008-01-01,wait,1,\n";
  EXPECT_THAT(records(study, table, &report),
              ElementsAre("1: wait/2@2005-09-08 wait/2@2006-03-01 wait/2@2006-03-05"));
  EXPECT_EQ(dropped(report, "after a gap"), "1/0");
  EXPECT_EQ(report.crowded, 1);
  EXPECT_EQ(report.attrition.rows_too_soon, 1);
  EXPECT_EQ(report.attrition.patients_too_soon, 1);
}

TEST_F(MappedTableTest, DropsShortRecordsAndAmbiguousEndings) {
  ClinicStudy study;
  study.rest = "[filters]\nminimum_visits = 2\ndrop_if_last = \"size LIKE '% to %'\"\n";
  MappingReport report;
  const std::string table = kClinicHeader +
                            "1,bl,wait,1,\n"
                            "2,bl,wait,1,a to b\n2,m06,wait,1,\n"
                            "3,bl,wait,1,\n3,m06,wait,1,a to b\n";
  EXPECT_THAT(records(study, table, &report), ElementsAre("2: wait/2@bl wait/2@m06"));
  EXPECT_EQ(dropped(report, "record with fewer than 2 visits"), "1/1");
  EXPECT_EQ(dropped(report, "record with an ambiguous ending"), "2/1");
}

TEST_F(MappedTableTest, TellsActionsByCellOrByPresence) {
  ClinicStudy study;
  study.action = "[action]\ncolumn = \"act\"\nvalues = { \"0\" = \"wait\", \"1\" = \"scan\" }\n";
  EXPECT_THAT(records(study, kClinicHeader + "1,bl,0,1,\n1,m06,1,1,small\n"),
              ElementsAre("1: wait/2@bl scan/0@m06"));
  study.action = "[action]\npresent = \"size\"\nif_present = \"scan\"\nif_absent = \"wait\"\n";
  EXPECT_THAT(records(study, kClinicHeader + "1,bl,,1,NA\n1,m06,,1,small\n"),
              ElementsAre("1: wait/2@bl scan/0@m06"));
}

TEST_F(MappedTableTest, CutsNumbersAtStatedPlaces) {
  ClinicStudy study;
  const auto with = [&](const std::string& bins) {
    study.factors = "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\n" + bins;
    std::string row;
    for (const char* score : {"-1", "0", "1e-9", "2.5", "2.6"}) {
      row += " " + std::string(records(study, kClinicHeader + "1,bl,wait," + score + ",\n")[0].substr(8, 1));
    }
    return row;
  };
  const std::string levels = "levels = [\"a\", \"b\", \"c\"]\n";
  EXPECT_EQ(with(levels + "cuts = [0, 2.5]\n"), " 0 0 1 1 2");
  EXPECT_EQ(with(levels + "cuts = [0, 2.5]\nupper = \"exclusive\"\n"), " 0 1 1 2 2");
  EXPECT_EQ(with("bins = { sd = 0.5, mean = 1.25, spread = 2.5 }\n"), " 0 1 1 1 2");
}

TEST_F(MappedTableTest, DerivesBinsFromThePopulationThatIsKept) {
  ClinicStudy study;
  study.record += "spacing = 1\n";
  study.factors =
      "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\nbins = { sd = 1 }\n"
      "[[factors]]\nname = \"size\"\ncolumn = \"size\"\nkind = \"numeric\"\nlevels = [\"less\", \"more\"]\n"
      "bins = { quantiles = [0.25] }\nyielded_by = [\"scan\"]\n";
  MappingReport report;
  // 1000 and 2000 are behind a gap; the sizes of visits without a scan are not the population's either.
  const std::string table =
      kClinicHeader +
      "1,bl,scan,2,10\n1,m06,scan,4,20\n2,bl,wait,4,99\n2,m06,scan,6,30\n3,bl,scan,,70\n"
      "1,m18,scan,1000,1000\n2,m18,scan,2000,2000\n";
  EXPECT_THAT(records(study, table, &report),
              ElementsAre("1: scan/0@bl scan/4@m06", "2: wait/5@bl scan/7@m06", "3: scan/-@bl"));
  const double spread = std::sqrt(8.0 / 3.0);  // of 2, 4, 4, 6 with n − 1
  EXPECT_THAT(*report.factors[0].bins.mean, DoubleEq(4.0));
  EXPECT_THAT(*report.factors[0].bins.spread, DoubleEq(spread));
  EXPECT_THAT(report.factors[0].bins.cuts, ElementsAre(DoubleEq(4 - spread), DoubleEq(4 + spread)));
  EXPECT_THAT(report.factors[1].bins.cuts, ElementsAre(DoubleEq(17.5)));  // 10, 20, 30, 70
}

TEST_F(MappedTableTest, AFactorWithoutAnyValueHasNoBins) {
  ClinicStudy study;
  study.factors =
      "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\nbins = { sd = 1 }\n";
  MappingReport report;
  EXPECT_THAT(records(study, kClinicHeader + "1,bl,wait,,\n1,m06,wait,NA,\n", &report),
              ElementsAre("1: wait/-@bl wait/-@m06"));
  EXPECT_THAT(report.factors[0].bins.cuts, IsEmpty());
  EXPECT_FALSE(report.factors[0].bins.mean.has_value());
  EXPECT_EQ(report.factors[0].missing, 2);
}

TEST_F(MappedTableTest, CarriesDiagnosesCovariatesAndGroups) {
  ClinicStudy study;
  study.rest =
      "[[covariates]]\nname = \"old\"\nsql = \"age::DOUBLE > 75\"\n"
      "[[covariates]]\nname = \"sex\"\nsql = \"sex\"\n[group]\ncolumn = \"site\"\n"
      "[labels]\ncolumn = \"dx\"\nvalues = { NL = \"well\", AD = \"ill\" }\n";
  const std::string path =
      file("visits.csv",
           "id,visit,act,score,size,age,sex,site,dx\n"
           "1,m06,wait,1,,80,F,south,AD\n1,bl,wait,1,,75.5,F,north,NL\n1,m12,wait,1,,9,M,east,?\n");
  int seen = 0;
  for_each_mapped_record(study.parse(), data_file(path), [&](const RecordView& record) {
    ++seen;
    EXPECT_THAT(record.covariates, ElementsAre("true", "F"));
    EXPECT_EQ(record.group, "north");
    EXPECT_THAT(record.diagnoses, ElementsAre(0, 1, -1));
    EXPECT_THAT(record.numbers, ElementsAre(1, 2, 3));
    return true;
  });
  EXPECT_EQ(seen, 1);
  const HistoryTree tree = read_mapped_tree(study.parse(), data_file(path));
  EXPECT_THAT(tree.diagnosis_counts, ElementsAre(0, 0, 1, 0, 0, 1, 0, 0));
}

TEST_F(MappedTableTest, BuildsTheSameTreeAsItsRecords) {
  std::string table = kClinicHeader;
  for (int id = 1; id <= 3000; ++id) {
    table += joined(id, ",bl,", id % 3 == 0 ? "scan" : "wait", ",", id % 10, ",small\n", id, ",m06,wait,",
                    id % 7 == 0 ? "" : "8", ",\n");
  }
  const Study study = ClinicStudy().parse();
  const DataFiles files = data_file(file("visits.csv", table));
  std::vector<Record> all;
  for_each_mapped_record(study, files, [&](const RecordView& record) {
    all.push_back({std::string(record.patient), {record.steps.begin(), record.steps.end()}});
    return true;
  });
  MappingReport report;
  const HistoryTree tree = read_mapped_tree(study, files, &report);
  const HistoryTree expected = build_history_tree(2, all);
  EXPECT_EQ(tree.records, 3000);
  EXPECT_EQ(tree.parent, expected.parent);
  EXPECT_EQ(tree.passes, expected.passes);
  EXPECT_EQ(tree.first_record, expected.first_record);
  EXPECT_EQ(tree.action_counts, expected.action_counts);
  EXPECT_EQ(report.attrition.rows_kept, 6000);
}

TEST_F(MappedTableTest, AnEmptyTableGivesNoRecordAndAReport) {
  MappingReport report;
  EXPECT_THAT(records({}, kClinicHeader, &report), IsEmpty());
  EXPECT_EQ(report.attrition.rows_in, 0);
  EXPECT_EQ(report.factors.size(), 2U);
}

}  // namespace
}  // namespace interpole::data
