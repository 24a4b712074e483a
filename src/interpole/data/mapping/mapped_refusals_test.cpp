// What a mapped table is refused for, and in which words.

#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using MappedTableTest = MappedTest;

TEST_F(MappedTableTest, RefusesCellsNamingRowColumnValueAndTheClosestKnown) {
  EXPECT_EQ(
      refusal({}, kClinicHeader + "1,bl,wait,1,\n2,bl,wait,1,\n1,m06,scann,1,\n"),
      "visits.csv: row 4: column act: \"scann\" is not an action of this study; did you mean \"scan\"?");
  EXPECT_EQ(
      refusal({}, kClinicHeader + "1,bl,,1,\n"),
      "visits.csv: row 2: column act: the cell is empty; every visit needs an action (list the column under "
      "filters.required to leave such rows out)");
  EXPECT_EQ(
      refusal({}, kClinicHeader + "1,bl,wait,1.5x,\n"),
      "visits.csv: row 2: column score: \"1.5x\" is not a finite number; correct the cell, or list it under "
      "missing if it means that there is no value");
  EXPECT_THAT(refusal({}, kClinicHeader + "1,bl,wait,inf,\n"), HasSubstr("\"inf\" is not a finite number"));
  EXPECT_THAT(refusal({}, kClinicHeader + "1,bl,wait,nan,\n"), HasSubstr("\"nan\" is not a finite number"));
  EXPECT_EQ(
      refusal({}, kClinicHeader + "1,bl,scan,1,smal\n"),
      "visits.csv: row 2: column size: \"smal\" is not a value of factor \"size\"; did you mean \"small\"?");
  ClinicStudy study;
  study.record = "[record]\nid = \"id\"\norder = \"visit\"\nkind = \"number\"\n";
  EXPECT_THAT(
      refusal(study, kClinicHeader + "1,bl,wait,1,\n"),
      HasSubstr(
          "visits.csv: row 2: column visit: \"bl\" is not a finite number; correct the cell, or list it"));
  study.record = "[record]\nid = \"id\"\norder = \"visit\"\nkind = \"date\"\n";
  EXPECT_THAT(refusal(study, kClinicHeader + "1,2005-13-01,wait,1,\n"),
              HasSubstr("visits.csv: row 2: column visit: \"2005-13-01\" is not a date;"));
  study.record = ClinicStudy().record;
  study.source += "sql = \"SELECT * FROM visits\"\n";
  EXPECT_THAT(
      refusal(study, kClinicHeader + "7,m06,wait,x,\n"),
      HasSubstr("visits.csv: patient \"7\", visit \"m06\": column score: \"x\" is not a finite number;"));
}

TEST_F(MappedTableTest, ForgivesBadCellsInRowsThatAreLeftOut) {
  EXPECT_THAT(records({}, kClinicHeader + "1,sc,what,x,?\n,bl,what,x,?\n1,bl,wait,1,\n"),
              ElementsAre("1: wait/2@bl"));
}

TEST_F(MappedTableTest, RefusesDuplicatesAndVisitsAfterATerminalAction) {
  EXPECT_EQ(refusal({}, kClinicHeader + "1,bl,wait,1,\n2,m06,wait,1,\n2,bl,wait,1,\n2,m06,wait,1,\n"),
            "visits.csv: rows 3 and 5: patient \"2\" has visit \"m06\" twice; keep one row for each visit");
  ClinicStudy study;
  study.source += "sql = \"SELECT * FROM visits\"\n";
  EXPECT_EQ(refusal(study, kClinicHeader + "2,m06,wait,1,\n2,m06,wait,1,\n"),
            "visits.csv: patient \"2\" has visit \"m06\" twice; keep one row for each visit");
  study = {};
  study.actions += "[[actions]]\nname = \"stop\"\nterminal = true\n";
  EXPECT_THAT(records(study, kClinicHeader + "1,bl,wait,1,\n1,m06,stop,x,\n"),
              ElementsAre("1: wait/2@bl stop/-@m06"));
  EXPECT_EQ(refusal(study, kClinicHeader + "1,bl,stop,,\n1,m06,wait,1,\n"),
            "visits.csv: patient \"1\", visit \"m06\": the patient goes on after \"stop\", which ends a "
            "record; remove "
            "the row, or make the action not terminal");
}

TEST_F(MappedTableTest, RefusesFilesThatAreNotTheStudys) {
  const Study one = ClinicStudy().parse();
  const std::string path = file("v.csv", kClinicHeader + "1,bl,wait,1,\n");
  const auto complaint = [&](const Study& study, const DataFiles& files) {
    return refusal_of([&] { records(study, files); }, ErrorKind::kUsage);
  };
  EXPECT_EQ(complaint(one, {{{"visit", path}}}),
            "option data visit=v.csv: the study has no table \"visit\"; did you mean \"visits\"?");
  EXPECT_EQ(complaint(one, {{{"visits", path}, {"visits", path}}}),
            "option data: v.csv is given twice; name each part of a table once");
  EXPECT_EQ(complaint(one, {{{"", path}, {"", path}}}),
            "option data: v.csv is given twice; name each part of a table once");
  EXPECT_EQ(complaint(one, {{{"visits", path}, {"", path}}}),
            "option data v.csv: other files are named as parts of table \"visits\"; write option data "
            "visits=v.csv");
  ClinicStudy study;
  study.source = "[source]\ntables = [\"visits\", \"people\"]\nsql = \"SELECT * FROM visits\"\n";
  EXPECT_EQ(
      complaint(study.parse(), data_file(path)),
      "option data v.csv: the study has tables \"visits\", \"people\"; say which one this is: option data "
      "visits=v.csv");
  EXPECT_EQ(
      complaint(study.parse(), {{{"visits", path}, {"", path}}}),
      "option data v.csv: the study has tables \"visits\", \"people\"; say which one this is: option data "
      "people=v.csv");
  EXPECT_EQ(complaint(study.parse(), {{{"visits", path}}}),
            "the study's table \"people\" has no file; add option data people=FILE");
}

TEST_F(MappedTableTest, NamesTheLineOfABrokenRow) {
  EXPECT_THAT(refusal({}, kClinicHeader + "1,bl,wait,1,\n2,bl,wait,1\n"),
              HasSubstr("visits.csv: line 3: 4 cells where the header names 5 columns"));
  EXPECT_THAT(refusal({}, kClinicHeader + "1,bl,wait,\xFF,\n"), HasSubstr("not UTF-8 text"));
  EXPECT_THAT(refusal({}, ""), HasSubstr("visits.csv: the file is empty"));
}

}  // namespace
}  // namespace interpole::data
