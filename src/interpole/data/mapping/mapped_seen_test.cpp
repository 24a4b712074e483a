// Rows whose measurements led to their actions.
#include <gmock/gmock.h>

#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MappedSeenTest : public MappedTest {
 protected:
  static ClinicStudy scores_only(const std::string& seen) {
    ClinicStudy study;
    study.record += "seen = \"" + seen + "\"\n";
    study.factors =
        "[[factors]]\nname = \"score\"\ncolumn = \"score\"\nkind = \"numeric\"\nlevels = [\"low\", "
        "\"high\"]\ncuts = [5]\n";
    return study;
  }
};

const std::string kThreeVisits = "id,visit,act,score,size\n1,bl,wait,2,\n1,m06,scan,9,\n1,m12,wait,1,small\n";

TEST_F(MappedSeenTest, AfterIsWhatSayingNothingMeans) {
  ClinicStudy silent = scores_only("after");
  silent.record = ClinicStudy().record;
  EXPECT_EQ(records(silent, kThreeVisits), records(scores_only("after"), kThreeVisits));
  EXPECT_THAT(records(silent, kThreeVisits), ElementsAre("1: wait/0@bl scan/1@m06 wait/0@m12"));
}

TEST_F(MappedSeenTest, WhatARowHoldsFollowsTheActionOfTheRowBefore) {
  EXPECT_THAT(records(scores_only("before"), kThreeVisits),
              ElementsAre("1: wait/1@bl scan/0@m06 wait/-@m12"));
}

// The score leads to the action; the size stands in the row of the scan that yielded it.
TEST_F(MappedSeenTest, FactorsMayDiffer) {
  ClinicStudy study;
  study.factors.replace(study.factors.find("cuts = [5]\n"), 11, "cuts = [5]\nseen = \"before\"\n");
  const std::string table = "id,visit,act,score,size\n1,bl,wait,2,\n1,m06,scan,9,large\n1,m12,wait,1,\n";
  // Outcomes: score (low, high) × size (small, large, not ordered).
  EXPECT_THAT(records(study, table), ElementsAre("1: wait/5@bl scan/1@m06 wait/-@m12"));
}

TEST_F(MappedSeenTest, AnOrderedTestIsYieldedByTheActionOfTheRowBefore) {
  ClinicStudy study;
  study.record += "seen = \"before\"\n";
  MappingReport report;
  EXPECT_THAT(records(study, kThreeVisits, &report), ElementsAre("1: wait/5@bl scan/0@m06 wait/-@m12"));
  EXPECT_THAT(report.factors[0].levels, ElementsAre(1, 1));
  EXPECT_EQ(report.factors[0].missing, 1);
  EXPECT_THAT(report.factors[1].levels, ElementsAre(1, 0, 2));
  // A value that no action ordered is not taken for an outcome.
  EXPECT_THAT(records(study, "id,visit,act,score,size\n1,bl,wait,2,\n1,m06,wait,9,large\n", &report),
              ElementsAre("1: wait/5@bl wait/-@m06"));
  EXPECT_EQ(report.factors[1].ignored, 1);
}

TEST_F(MappedSeenTest, ATerminalRowHoldsWhatLedToIt) {
  ClinicStudy study = scores_only("before");
  study.actions += "[[actions]]\nname = \"stop\"\nterminal = true\n";
  EXPECT_THAT(records(study, "id,visit,act,score,size\n1,bl,wait,2,\n1,m06,stop,9,\n"),
              ElementsAre("1: wait/1@bl stop/-@m06"));
}

TEST_F(MappedSeenTest, BinsAreThoseOfTheRowsThatCount) {
  ClinicStudy study = scores_only("before");
  study.factors.replace(study.factors.find("cuts = [5]"), 10, "bins = { quantiles = [0.5] }");
  MappingReport report;
  // Of 2, 9 and 1 the first is nobody's outcome.
  records(study, kThreeVisits, &report);
  EXPECT_THAT(report.factors[0].bins.cuts, ElementsAre(5.0));
}

TEST_F(MappedSeenTest, RefusesOtherWords) {
  EXPECT_THAT(refusal_of([] { scores_only("during").parse(); }),
              HasSubstr("record.seen: expected \"before\" (what a row holds led to its action) or "
                        "\"after\" (it came of the action)"));
}

}  // namespace
}  // namespace interpole::data
