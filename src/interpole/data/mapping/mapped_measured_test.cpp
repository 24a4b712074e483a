// Tables of the user's own with measured factors.

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::HasSubstr;

ClinicStudy measured_clinic() {
  ClinicStudy study;
  study.factors =
      "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"continuous\"\nfamily = \"lognormal\"\n"
      "below = 0.5\n"
      "[[factors]]\nname = \"size\"\ncolumn = \"size\"\nkind = \"continuous\"\nfamily = \"normal\"\n"
      "yielded_by = [\"scan\"]\n";
  return study;
}

Study parsed(const ClinicStudy& clinic) {
  std::string text = clinic.text();
  text.replace(text.find("version = 1"), 11, "version = 2");
  return parse_study(text, "s.toml");
}

class MappedMeasured : public MappedTest {
 protected:
  // "score 3, size 12 | nothing"
  std::vector<std::string> outcomes(const Study& study, const std::string& rows) {
    std::vector<std::string> result;
    for_each_mapped_record(
        study, {{{"", file("v.csv", kClinicHeader + rows)}}}, [&](const RecordView& record) {
          std::string text;
          for (const Step& step : record.steps)
            text += (text.empty() ? "" : " | ") + study.structure.outcome_name(step.observation);
          result.push_back(text);
          return true;
        });
    return result;
  }
  std::string refusal(const Study& study, const std::string& rows) {
    return base::complaint_of([&] { outcomes(study, rows); });
  }
};

TEST_F(MappedMeasured, ValuesAreTakenAsTheyAreAndEmptyCellsSayNothing) {
  const Study study = parsed(measured_clinic());
  EXPECT_THAT(outcomes(study, "1,bl,wait,3.25,7\n1,m06,scan,NA,12.5\n1,m12,scan,0.1,\n1,m18,wait,,\n"),
              testing::ElementsAre("score 3.25 | size 12.5 | score ≤ 0.5 | nothing"));
}

TEST_F(MappedMeasured, WhatIsSeenBeforeAnActionBelongsToTheOneBefore) {
  ClinicStudy clinic = measured_clinic();
  clinic.record += "seen = \"before\"\n";
  EXPECT_THAT(outcomes(parsed(clinic), "1,bl,wait,3,7\n1,m06,scan,4,8\n1,m12,wait,5,9\n"),
              testing::ElementsAre("score 4 | score 5, size 9 | nothing"));
}

TEST_F(MappedMeasured, RefusesValuesOfOtherFamiliesWithTheirRow) {
  const Study study = parsed(measured_clinic());
  EXPECT_THAT(refusal(study, "1,bl,wait,3,\n2,bl,wait,-1,\n"),
              HasSubstr("row 3: column score: -1 is not above 0, as family = \"lognormal\" needs it"));
  EXPECT_THAT(refusal(study, "1,bl,wait,much,\n"),
              HasSubstr("row 2: column score: \"much\" is not a finite number"));
  EXPECT_THAT(refusal(study, "1,bl,scan,1,inf\n"), HasSubstr("column size: \"inf\" is not a finite number"));
}

TEST_F(MappedMeasured, StudiesOfVersionOneKeepTheirJointOutcomes) {
  const Study study = ClinicStudy().parse();
  EXPECT_FALSE(study.structure.measured());
  EXPECT_EQ(study.structure.observation_count(), 6);
  ClinicStudy joint;
  joint.actions = "joint = true\n" + joint.actions;
  EXPECT_EQ(parsed(joint).structure, study.structure);
}

TEST_F(MappedMeasured, LevelsOfVersionTwoAreIndependentFactors) {
  const Study study = parsed(ClinicStudy());
  ASSERT_TRUE(study.structure.measured());
  EXPECT_THAT(outcomes(study, "1,bl,wait,3,\n1,m06,scan,9,large\n1,m12,scan,,small\n"),
              testing::ElementsAre("score low | score high, size large | size small"));
}

TEST_F(MappedMeasured, RefusesStudiesThatCannotBe) {
  const auto refused = [](const std::string& from, const std::string& to) {
    ClinicStudy clinic = measured_clinic();
    clinic.factors.replace(clinic.factors.find(from), from.size(), to);
    return base::complaint_of([&] { parsed(clinic); });
  };
  EXPECT_THAT(
      refused("lognormal", "lognromal"),
      HasSubstr("family: \"lognromal\" is not a family of continuous factors; did you mean \"lognormal\"?"));
  EXPECT_THAT(refused("below = 0.5", "below = 3\nabove = 2"), HasSubstr("exchange them"));
  EXPECT_THAT(refused("below = 0.5", "df = 4"),
              HasSubstr("only family = \"student\" has degrees of freedom"));
  EXPECT_THAT(refused("family = \"lognormal\"\n", ""), HasSubstr("family: the key is missing"));
  EXPECT_THAT(refused("below = 0.5", "cuts = [2]"), HasSubstr("taken as it was measured; remove the key"));
  EXPECT_THAT(base::complaint_of([] { measured_clinic().parse(); }),
              HasSubstr("a factor that is measured needs a study of version 2"));
}

}  // namespace
}  // namespace interpole::data
