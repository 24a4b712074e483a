// Visits tables with a column for each measured factor.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data/records/visits.hpp"
#include "interpole/data/records/visits_testing.hpp"

namespace interpole::data {
namespace {

using testing::HasSubstr;

Structure unit() {
  MeasuredFactor lactate{"lactate", Family::kLogNormal};
  lactate.lower = 0.5;
  lactate.yielded_by = {0, 1, 0};
  Structure structure = Structure::of_factors({"stable", "shock"}, {"watch", "measure", "transfer"},
                                              {{"pressure", Family::kNormal},
                                               lactate,
                                               {"breaths", Family::kPoisson},
                                               {"skin", Family::kCategorical, {"warm", "cold"}}});
  structure.make_terminal(2);
  return structure;
}

class MeasuredVisits : public testing::Test {
 protected:
  std::string table(const std::string& rows, const std::string& header = kColumns) {
    std::string path = folder_.file("visits.csv");
    std::ofstream(path, std::ios::binary) << header << rows;
    return path;
  }
  std::string refusal(const std::string& rows, const std::string& header = kColumns) {
    const std::string path = table(rows, header);
    return base::complaint_of([&] { read_records(path, unit()); });
  }

  static inline const std::string kColumns = "patient,step,action,skin,breaths,lactate,pressure\n";
  base::TemporaryFolder folder_;
};

TEST_F(MeasuredVisits, ReadsNumbersLevelsAndWhatIsMissing) {
  const Structure structure = unit();
  const auto records = read_records(
      table("p1,1,watch,cold,16,,62.5\np1,2,measure,,,0.2,\np1,3,watch,,,,\np1,4,transfer,,,,\n"), structure);
  ASSERT_EQ(records.size(), 1u);
  const auto& steps = records[0].steps;
  ASSERT_EQ(steps.size(), 4u);
  const auto first = structure.outcomes.table->at(steps[0].observation);
  EXPECT_EQ(first[0], 62.5);
  EXPECT_TRUE(std::isnan(first[1]));
  EXPECT_EQ(first[2], 16.0);
  EXPECT_EQ(first[3], 1.0);
  EXPECT_EQ(structure.outcomes.table->at(steps[1].observation)[1], 0.5);  // at the limit of detection
  EXPECT_EQ(steps[2].observation, kMissing);
  EXPECT_EQ(steps[3].observation, kMissing);
  EXPECT_EQ(structure.outcome_name(steps[0].observation), "pressure 62.5, breaths 16, skin cold");
  EXPECT_EQ(structure.outcome_name(steps[1].observation), "lactate ≤ 0.5");
}

TEST_F(MeasuredVisits, HistoriesAreSharedWhereTheBitsAreEqual) {
  const Structure structure = unit();
  const HistoryTree tree = read_history_tree(
      table("p1,1,watch,,16,,62.5\np1,2,watch,,,,60\np2,1,watch,,16,,62.50\np2,2,watch,,,,61\n"
            "p3,1,watch,,,,62.5\np3,2,watch,,,,60\n"),
      structure);
  EXPECT_EQ(tree.node_count(), 1 + 2 + 3);
}

TEST_F(MeasuredVisits, RefusesWhatCannotBeAndSaysWhere) {
  EXPECT_THAT(refusal("p1,1,measure,,,-2,\n"), HasSubstr("row 2: column lactate: -2 is not above 0"));
  EXPECT_THAT(refusal("p1,1,watch,,,,62\np1,2,watch,,,,high\n"),
              HasSubstr("row 3: column pressure: \"high\" is not a finite number; correct the cell"));
  EXPECT_THAT(refusal("p1,1,watch,,,,inf\n"), HasSubstr("column pressure: \"inf\" is not a finite number"));
  EXPECT_THAT(refusal("p1,1,watch,,2.5,,\n"), HasSubstr("column breaths: 2.5 is not a count"));
  EXPECT_THAT(refusal("p1,1,watch,wet,,,\n"),
              HasSubstr("column skin: \"wet\" is not a level of this factor"));
  EXPECT_THAT(refusal("p1,1,watch,,,3,\n"),
              HasSubstr("does not yield it (yielded_by); leave the cell empty"));
  EXPECT_THAT(refusal("p1,1,transfer,,,,62\n"), HasSubstr("ends the record and yields nothing"));
  EXPECT_THAT(refusal("p1,1,watch,,16,\n", "patient,step,action,skin,breaths,lactate\n"),
              HasSubstr("column \"pressure\" is missing; the study measures a factor of that name"));
}

}  // namespace
}  // namespace interpole::data
