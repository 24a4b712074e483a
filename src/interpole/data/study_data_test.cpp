#include "interpole/data/study_data.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(DataFiles, TellsNamesFromFiles) {
  const std::vector<std::string> values = {"visits=a.csv", "b.csv", "./x=c.csv", "my file=d.csv",
                                           "t_2=e=f.csv"};
  EXPECT_THAT(parse_data_files(values).tables,
              ElementsAre(Pair("visits", "a.csv"), Pair("", "b.csv"), Pair("", "./x=c.csv"),
                          Pair("", "my file=d.csv"), Pair("t_2", "e=f.csv")));
  EXPECT_EQ(parse_data_files(values).shown(), "a.csv, b.csv, ./x=c.csv, my file=d.csv, e=f.csv");
  EXPECT_THROW(parse_data_files(std::vector<std::string>{"visits="}), Error);
  EXPECT_THROW(parse_data_files(std::vector<std::string>{""}), Error);
}

TEST(DataFiles, AreAllThatAPatternFitsInTheOrderOfTheirNames) {
  const std::string folder = testing::TempDir() + "data_files_like/";
  std::filesystem::create_directories(folder);
  for (const char* name : {"v-10.csv", "v-2.csv", "v-1.csv", "w-1.csv", "x*.csv"})
    std::ofstream(folder + name) << "\n";
  const auto found = [&](const std::string& pattern) {
    return parse_data_files(std::vector<std::string>{pattern}).tables;
  };
  EXPECT_THAT(found("t=" + folder + "v-*.csv"),
              ElementsAre(Pair("t", folder + "v-1.csv"), Pair("t", folder + "v-10.csv"),
                          Pair("t", folder + "v-2.csv")));
  EXPECT_THAT(found(folder + "x*.csv"), ElementsAre(Pair("", folder + "x*.csv")));  // a file of the very name
  EXPECT_THAT(base::complaint_of([&] { found(folder + "y*.csv"); }),
              HasSubstr("y*.csv: no file is called like this"));
  EXPECT_EQ(
      (DataFiles{{{"", "1.csv"}, {"", "2.csv"}, {"", "3.csv"}, {"", "4.csv"}, {"", "5.csv"}, {"t", "6.csv"}}})
          .shown(),
      "1.csv … 5.csv (5 files), 6.csv");
}

class StudyDataTest : public MappedTest {
 protected:
  Study plain() const {
    return {DecisionProblem::open(Structure::unrestricted({"s"}, {"wait", "scan"}, {"no", "yes"})), {}, {}};
  }
  std::string visits() {
    return file("v.csv", "patient,step,action,observation\np,5,wait,no\np,7,scan,yes\nq,1,wait,no\n");
  }
  std::string table() {
    return file("t.csv", "id,visit,act,score,size\n7,m06,wait,9,\n7,bl,wait,1,\n3,bl,wait,1,\n");
  }
};

TEST_F(StudyDataTest, ReadsAVisitsTableOrAMappedOne) {
  EXPECT_EQ(read_tree(plain(), data_file(visits())).records, 2);
  EXPECT_EQ(read_tree(ClinicStudy().parse(), data_file(table())).decisions, 3);
}

TEST_F(StudyDataTest, WalksBothKindsOfRecords) {
  std::vector<std::string> seen;
  const auto note = [&](const RecordView& record) {
    seen.push_back(joined(record.patient, " ", record.numbers.back(), " ",
                          record.visits.empty() ? "" : record.visits.back()));
  };
  for_each_record(plain(), data_file(visits()), note);
  for_each_record(ClinicStudy().parse(), data_file(table()), note);
  EXPECT_THAT(seen, ElementsAre("p 7 ", "q 1 ", "3 1 bl", "7 2 m06"));
}

TEST_F(StudyDataTest, ReadsATableOfTheUsersOwnInParts) {
  const Study study = ClinicStudy().parse();
  const std::string rest = file("rest.csv", "visit,id,act,score,size\nm12,7,wait,2,\nbl,5,wait,1,\n");
  const HistoryTree tree = read_tree(study, {{{"", table()}, {"", rest}}});
  const HistoryTree whole =
      read_tree(study, data_file(file("all.csv",
                                      "id,visit,act,score,size\n7,m06,wait,9,\n7,bl,wait,1,\n3,bl,wait,1,\n"
                                      "7,m12,wait,2,\n5,bl,wait,1,\n")));
  EXPECT_EQ(tree.records, 3);
  EXPECT_EQ(tree.decisions, 5);
  EXPECT_EQ(tree.parent, whole.parent);
  EXPECT_EQ(tree.action_counts, whole.action_counts);
  EXPECT_EQ(tree.first_record, whole.first_record);
  const std::string bad = file("bad.csv", "id,visit,act,score,size\n9,bl,dance,1,\n");
  EXPECT_THAT(refusal_of([&] {
                read_tree(study, {{{"visits", table()}, {"visits", bad}}});
              }),
              HasSubstr("t.csv, bad.csv: patient \"9\", visit \"bl\": column act: \"dance\""));
}

TEST_F(StudyDataTest, FindsRecordsAgainByTheNumberTheTreeKnowsThemBy) {
  const Study study = ClinicStudy().parse();
  const HistoryTree tree = read_tree(study, data_file(table()));
  int deepest = 0;
  for (int node = 0; node < tree.node_count(); ++node) deepest = tree.depth[node] == 2 ? node : deepest;
  const KeptRecord place = record_at(study, data_file(table()), tree.first_record[deepest]);
  EXPECT_EQ(place.patient, "7");
  EXPECT_THAT(place.visits, ElementsAre("bl", "m06"));
  EXPECT_EQ(record_at(plain(), data_file(visits()), 0).patient, "p");
  EXPECT_THAT(refusal_of([&] { record_at(study, data_file(table()), 2); }),
              HasSubstr("t.csv: there is no record 2 among its 2"));
}

TEST_F(StudyDataTest, RefusesDataWithoutARecord) {
  ClinicStudy study;
  study.rest = "[filters]\nminimum_visits = 3\n";
  EXPECT_EQ(refusal_of([&] { read_tree(study.parse(), data_file(table())); }),
            "t.csv: no record is left of 3 rows; most (3) went by \"record with fewer than 3 visits\" "
            "(interpole study "
            "check shows all); correct the study");
  EXPECT_EQ(refusal_of([&] {
              for_each_record(study.parse(), data_file(file("e.csv", "id,visit,act,score,size\n")),
                              [](const RecordView&) {});
            }),
            "e.csv: there are no rows; nothing to learn from");
}

TEST_F(StudyDataTest, RefusesNamedOrSeveralFilesForAVisitsTable) {
  EXPECT_THAT(refusal_of(
                  [&] {
                    read_tree(plain(), {{{"t", visits()}}});
                  },
                  ErrorKind::kUsage),
              HasSubstr("option data t=v.csv: the study has no table \"t\""));
  EXPECT_THAT(refusal_of(
                  [&] {
                    read_tree(plain(), {{{"", visits()}, {"", visits()}}});
                  },
                  ErrorKind::kUsage),
              HasSubstr("v.csv is given twice; name each part of a table once"));
}

}  // namespace
}  // namespace interpole::data
