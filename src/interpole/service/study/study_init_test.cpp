#include "interpole/service/study/study_init.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data/draft/study_guess.hpp"
#include "interpole/environments/adni/adni_table.hpp"
#include "interpole/environments/write_visits.hpp"
#include "interpole/error.hpp"
#include "interpole/service/study/study_task.hpp"

namespace interpole::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class StudyInitTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  // A stay of eight windows; a lactate is measured where it was ordered. Some cells are codes.
  std::string icu_table(int stays) {
    std::ostringstream text;
    text << "id,t,a,map_min,lactate_max,age,icu_type\n";
    for (int id = 1; id <= stays; ++id) {
      for (int t = 0; t < 8; ++t) {
        const int ordered = (id * 7 + t * 3) % 4 == 0 ? 1 : 0;
        text << 9000 + id << ',' << t << ',' << ordered << ',';
        text << ((id + t) % 13 == 0 ? "NA" : std::to_string(50 + (id * 5 + t * 11) % 40)) << ',';
        text << (ordered == 0 ? "" : std::to_string(1 + (id + t) % 9)) << ',';
        text << 40 + id % 50 << ',' << 1 + id % 4 << '\n';
      }
    }
    return file("icu-steps.csv", text.str());
  }

  StudyCheck draft_and_check(const std::string& table) {
    run_study_init({table, path("study.toml"), false}, quiet_sink());
    return run_study_check({path("study.toml"), data_file(table)}, quiet_sink());
  }

  const base::TemporaryFolder folder_;
};

TEST_F(StudyInitTest, AVisitsTableIsNotMapped) {
  SimulateOptions options;
  options.patients = 200;
  const std::string table = path("bias.csv");
  const std::int64_t rows = environments::write_visits(table, bias(), options);
  const StudyCheck check = draft_and_check(table);
  EXPECT_FALSE(check.study.mapping.has_value());
  EXPECT_THAT(check.study.structure.actions, ElementsAre("declare-diseased", "declare-healthy", "monitor"));
  EXPECT_THAT(check.study.structure.terminal, ElementsAre(1, 1, 0));
  EXPECT_THAT(check.study.structure.observations, ElementsAre("negative", "positive"));
  EXPECT_EQ(check.study.structure.state_count(), 2);
  EXPECT_EQ(check.summary->patients, 200);
  EXPECT_EQ(check.summary->decisions, rows);
}

TEST_F(StudyInitTest, AnAdniTableIsOrderedByItsVisitCodes) {
  SimulateOptions options;
  options.patients = 300;
  for (const environments::AdniFormat format :
       {environments::AdniFormat::kAdnimerge, environments::AdniFormat::kTadpole}) {
    const std::string table = path("adni.csv");
    environments::write_adni_table(table, options, format);
    const std::string text = draft_study(table);
    const Study study = parse_study(text, "s.toml");
    ASSERT_TRUE(study.mapping.has_value());
    EXPECT_EQ(study.mapping->record.id, "RID");
    EXPECT_EQ(study.mapping->record.order, "VISCODE");
    ASSERT_GE(study.mapping->record.codes.size(), 3U);
    EXPECT_EQ(study.mapping->record.codes[0], "bl");
    EXPECT_EQ(study.mapping->record.codes[1], "m03");
    EXPECT_EQ(study.mapping->record.codes[2], "m06");
    EXPECT_TRUE(study.mapping->action.by_presence);
    EXPECT_THAT(study.mapping->source.missing, ElementsAre("-4", "NA"));
    EXPECT_THAT(text, HasSubstr("# column = \"DX\""));
    EXPECT_THAT(text, HasSubstr("# sql = \"\\\"PTGENDER\\\"\""));
    const StudyCheck check = run_study_check({file("s.toml", text), data_file(table)}, quiet_sink());
    EXPECT_GT(check.summary->patients, 250);
  }
}

TEST_F(StudyInitTest, AnIcuTableIsMapped) {
  const std::string table = icu_table(40);
  const StudyCheck check = draft_and_check(table);
  ASSERT_TRUE(check.study.mapping.has_value());
  const TableMapping& mapping = *check.study.mapping;
  EXPECT_EQ(mapping.source.tables[0], "visits");  // the file's name is no name in SQL
  EXPECT_THAT(mapping.source.missing, ElementsAre("NA"));
  EXPECT_EQ(mapping.record.id, "id");
  EXPECT_EQ(mapping.record.order, "t");
  EXPECT_EQ(mapping.record.kind, OrderKind::kNumber);
  EXPECT_EQ(mapping.action.column, "a");
  EXPECT_THAT(check.study.structure.actions, ElementsAre("a = 0", "a = 1"));
  ASSERT_EQ(mapping.factors.size(), 2U);
  EXPECT_EQ(mapping.factors[0].column, "lactate_max");
  EXPECT_THAT(mapping.factors[0].yielded_by, ElementsAre(0, 1));
  EXPECT_EQ(mapping.factors[1].column, "map_min");
  EXPECT_THAT(mapping.factors[1].yielded_by, IsEmpty());
  EXPECT_EQ(check.summary->patients, 40);
  EXPECT_EQ(check.summary->decisions, 320);
  EXPECT_THAT(draft_study(table), HasSubstr("# [[covariates]]\n# name = \"age\""));
}

TEST_F(StudyInitTest, ATinyOddTableStillGivesAStudy) {
  // Semicolons, a quote in a name, a decimal date column, five rows: nothing is common enough to be listed.
  const std::string table = file("odd.csv",
                                 "Subject ID;time;\"si\"\"ze\";note\n"
                                 "a;0.5;3;x\na;1.5;;y\nb;0.5;4;z\nb;2;;\nb;3;7;w\n");
  const StudyCheck check = draft_and_check(table);
  EXPECT_EQ(check.study.mapping->record.id, "Subject ID");
  EXPECT_EQ(check.study.mapping->action.column, "si\"ze");
  EXPECT_TRUE(check.study.mapping->action.by_presence);
  EXPECT_EQ(check.summary->patients, 2);
}

TEST_F(StudyInitTest, RowsWithRareActionsAreLeftOut) {
  std::string text = "patient_id,visit,treatment,score\n";
  for (int i = 0; i < 60; ++i) {
    const std::string act = i == 7 ? "experimental" : i == 9 ? "" : i % 3 == 0 ? "drug" : "wait";
    text += "p" + std::to_string(i / 3) + "," + std::to_string(i % 3 + 1) + "," + act + "," +
            std::to_string(i * 17 % 41) + "\n";
  }
  const StudyCheck check = draft_and_check(file("t.csv", text));
  EXPECT_THAT(check.study.structure.actions, ElementsAre("drug", "wait"));
  EXPECT_EQ(check.summary->decisions, 58);
}

TEST_F(StudyInitTest, NamesNoRareValueAndNoPatient) {
  std::string text = "patient,visit,action,score,word\n";
  for (int i = 0; i < 90; ++i) {
    text += "JaneDoe" + std::to_string(i / 3) + ",v" + (i == 88 ? "77" : std::to_string(i % 3)) + "," +
            (i == 7       ? "secret-act"
             : i % 2 == 0 ? "yes"
                          : "no") +
            "," + std::to_string(1234 + i) + "," +
            (i == 8       ? "secret-word"
             : i % 2 == 0 ? "odd"
                          : "even") +
            "\n";
  }
  const std::string draft = draft_study(file("t.csv", text));
  EXPECT_THAT(draft, Not(HasSubstr("JaneDoe")));
  EXPECT_THAT(draft, Not(HasSubstr("secret")));
  EXPECT_THAT(draft, Not(HasSubstr("v77")));
  EXPECT_THAT(draft, Not(HasSubstr("1234")));
  EXPECT_THAT(draft, HasSubstr("codes = [\"v0\", \"v1\", \"v2\"]"));
}

// A patient with many visits is one patient: what only they have would point at them.
TEST_F(StudyInitTest, CountsPatientsNotRows) {
  std::ostringstream mapped, visits;
  mapped << "id,visit,act,score,size\n";
  visits << "patient,step,action,observation\n";
  for (int patient = 0; patient < 30; ++patient) {
    const int last = patient == 0 ? 60 : 4;
    for (int t = 0; t < last; ++t) {
      const std::string action = t % 2 == 0 ? "wait" : patient == 0 ? "experimental-graft" : "scan";
      const std::string level = patient == 0 ? "chimera" : t % 2 == 0 ? "low" : "high";
      mapped << patient << ',' << t << ',' << action << ',' << level << ',' << (patient * 7 + t * 5) % 11
             << '\n';
      visits << patient << ',' << t << ',' << action << ',' << level << '\n';
    }
  }
  for (const std::string& table : {file("mapped.csv", mapped.str()), file("visits.csv", visits.str())}) {
    const std::string draft = draft_study(table);
    EXPECT_THAT(draft, HasSubstr("scan"));
    EXPECT_THAT(draft, Not(HasSubstr("experimental-graft"))) << draft;
    EXPECT_THAT(draft, Not(HasSubstr("chimera"))) << draft;
  }
}

TEST_F(StudyInitTest, ATinyVisitsTableGetsPlaceholders) {
  const std::string draft = draft_study(
      file("v.csv", "patient,step,action,observation\nJane,1,watch,rare-finding\nJane,2,stop,\n"));
  EXPECT_THAT(draft, Not(HasSubstr("rare-finding")));
  EXPECT_THAT(parse_study(draft, "s.toml").structure.actions, ElementsAre("action-1", "action-2"));
}

TEST_F(StudyInitTest, ADayOrdersVisitsWhateverItsColumnIsCalled) {
  std::string text = "id,born,seen in clinic,drug,score\n";
  for (int id = 1; id <= 30; ++id) {
    for (int visit = 1; visit <= 4; ++visit) {
      text += fmt::format("{},1950-01-01,2024-0{}-{:02},{},{}\n", id, visit, 1 + id % 28,
                          (id + visit) % 3 == 0 ? "new" : "old", (id * visit) % 7);
    }
  }
  const std::string draft = draft_study(file("t.csv", text));
  EXPECT_THAT(draft, HasSubstr("because of its days, and because no two rows of a record have the same "
                               "value\norder = \"seen in clinic\""));
  EXPECT_THAT(draft, HasSubstr("kind = \"date\""));
}

TEST_F(StudyInitTest, SaysWhatWasLookedFor) {
  const auto draft = [&](const std::string& text) {
    const std::string table = file("t.csv", text);
    return base::complaint_of([&] { draft_study(table); }, ErrorKind::kInput);
  };
  EXPECT_THAT(
      draft("weight,height\n1,2\n1,3\n"),
      testing::AllOf(HasSubstr("t.csv: no column looks like a record id: looked for a name such as id"),
                     HasSubstr("write the study by hand")));
  // An id that never repeats makes no records.
  EXPECT_THAT(draft("id,visit,score\n1,1,2\n2,1,3\n3,1,4\n"), HasSubstr("no column looks like a record id"));
  EXPECT_THAT(draft("id,visit,score\n1,1,2\n1,1,3\n2,1,4\n2,1,4\n"),
              HasSubstr("no column orders the visits of \"id\""));
  EXPECT_THAT(draft("id,visit\n1,1\n1,2\n2,1\n2,2\n"), HasSubstr("no column looks like an observation"));
  EXPECT_THAT(draft("id,visit\n"), HasSubstr("t.csv: there are no rows"));
}

TEST_F(StudyInitTest, ReplacesAnExistingStudyOnlyIfForced) {
  const std::string table = icu_table(20);
  const std::string study = file("study.toml", "my own work");
  EXPECT_THAT(base::complaint_of(
                  [&] {
                    run_study_init({table, study, false}, quiet_sink());
                  },
                  ErrorKind::kUsage),
              HasSubstr("the file exists and may hold your own work"));
  EXPECT_THROW(read_study(study), Error);
  const StudyInitOutcome outcome = run_study_init({table, study, true}, quiet_sink());
  EXPECT_FALSE(outcome.visits_table);
  EXPECT_EQ(outcome.decisions, 6);
  EXPECT_NO_THROW(read_study(study));
}

TEST(NaturalOrder, PutsCodesByTheirNumbers) {
  std::vector<std::string> left_out;
  EXPECT_THAT(data::natural_order({"m12", "m06", "nv", "bl", "m108", "sc", "m03", "uns1"}, left_out),
              ElementsAre("bl", "m03", "m06", "m12", "m108"));
  EXPECT_THAT(left_out, ElementsAre("nv", "sc", "uns1"));
  left_out.clear();
  EXPECT_THAT(data::natural_order({"late", "early", "baseline"}, left_out),
              ElementsAre("baseline", "early", "late"));
  EXPECT_THAT(left_out, IsEmpty());
}

}  // namespace
}  // namespace interpole::service
