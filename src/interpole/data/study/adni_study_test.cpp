// studies/adni on a hand-made table of 40 rows in TADPOLE's format with every quirk of the real one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/error.hpp"
#include "interpole/study.hpp"

namespace interpole::data {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

struct ExpectedRecord {
  std::string rid;
  Texts visits;
  Texts steps;  // "action: outcome"
  Texts diagnoses;
  Texts covariates;  // over 75, APOE4 carrier, signs at first visit, sex
  std::string site;

  bool operator==(const ExpectedRecord&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ExpectedRecord& record) {
    out << "RID " << record.rid << ":";
    for (const Texts* list : {&record.visits, &record.steps, &record.diagnoses, &record.covariates}) {
      out << " " << ::testing::PrintToString(*list);
    }
    return out << " site " << record.site;
  }
};

// RIDs 5 and 21 end with a change (21's stands in DXCHANGE only). 6 has no baseline, 7's has no CDR-SB, 8's
// no diagnosis.
const std::vector<ExpectedRecord> kRecords = {
    {"2",
     {"bl", "m06", "m12"},  // m03 is outside the schedule; 7254 is still average
     {"mri: normal | above", "no-mri: normal | not ordered", "mri: questionable | within"},
     {"NL", "NL", "NL"},
     {"false", "false", "false", "Male"},
     "11"},
    {"3",
     {"bl", "m06", "m12"},  // m18 is missing, m24 and m36 are not
     {"mri: impaired | below", "mri: impaired | below", "no-mri: impaired | not ordered"},
     {"Dementia", "Dementia", "Dementia"},
     {"true", "true", "true", "Male"},
     "11"},
    {"4",
     {"bl", "m06", "m12", "m18"},  // "MCI to Dementia" at m12: not the end
     {"mri: questionable | within", "no-mri: questionable | not ordered", "mri: impaired | below",
      "no-mri: impaired | not ordered"},
     {"MCI", "MCI", "Dementia", "Dementia"},
     {"false", "true", "true", "Female"},
     "22"},
    {"10",
     {"bl", "m06", "m12"},  // the first two diagnoses stand in DXCHANGE only; 6029 is below average
     {"mri: normal | above", "no-mri: questionable | not ordered", "mri: questionable | below"},
     {"NL", "MCI", "MCI"},
     {"false", "true", "false", "Female"},
     "11"},
    {"29",
     {"bl", "m06"},  // m12 has no CDR-SB; CDR-SB 2.5 and 3, volume 6030; no age
     {"mri: questionable | within", "no-mri: impaired | not ordered"},
     {"MCI", "MCI"},
     {"", "true", "true", "Male"},
     "99"},
    {"31",
     {"bl", "m06"},  // the change comes after the gap; CN; 7255 is above average
     {"mri: normal | above", "no-mri: normal | not ordered"},
     {"NL", "NL"},
     {"true", "false", "false", "Female"},
     "23"},
    {"43",
     {"bl"},  // nv and uns1 do not count
     {"mri: questionable | within"},
     {"MCI"},
     {"true", "true", "true", "Male"},
     "18"},
    {"57",
     {"bl", "m06", "m12"},  // recovers: "MCI to NL"; APOE4 is -4
     {"mri: questionable | above", "no-mri: normal | not ordered", "mri: normal | within"},
     {"MCI", "NL", "NL"},
     {"true", "", "true", "Male"},
     "18"},
};

std::string here(const std::string& name) {
  return (base::source_folder() / "src/interpole/data/testdata" / name).string();
}

Study study(const std::string& name) {
  return read_study((base::source_folder() / "studies/adni" / name).string());
}

std::vector<ExpectedRecord> records_of(const Study& study, const std::string& path,
                                       MappingReport* report = nullptr) {
  std::vector<ExpectedRecord> records;
  for_each_mapped_record(
      study, data_file(path),
      [&](const RecordView& view) {
        ExpectedRecord& record = records.emplace_back();
        record.rid = view.patient;
        record.visits.assign(view.visits.begin(), view.visits.end());
        for (const Step& step : view.steps) {
          record.steps.push_back(study.structure.actions[step.action] + ": " +
                                 study.structure.observations[step.observation]);
        }
        for (const std::int32_t state : view.diagnoses)
          record.diagnoses.push_back(study.structure.states[state]);
        record.covariates.assign(view.covariates.begin(), view.covariates.end());
        record.site = view.group;
        return true;
      },
      report);
  return records;
}

// The table with another delimiter between its cells.
std::string with_delimiter(char delimiter) {
  std::ostringstream text;
  text << std::ifstream(here("tadpole_40.csv")).rdbuf();
  std::string table = text.str();
  bool quoted = false;
  for (char& c : table) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) c = delimiter;
  }
  return table;
}

TEST(AdniStudy, TwelveOutcomesWithTheirMasks) {
  for (const char* name : {"tadpole.toml", "adnimerge.toml"}) {
    const Structure structure = study(name).structure;
    EXPECT_EQ(structure.states, (Texts{"NL", "MCI", "Dementia"}));
    EXPECT_EQ(structure.actions, (Texts{"no-mri", "mri"}));
    ASSERT_EQ(structure.observation_count(), 12);
    EXPECT_EQ(structure.observations[0], "normal | below");
    EXPECT_EQ(structure.observations[7], "questionable | not ordered");
    for (int z = 0; z < 12; ++z) {
      EXPECT_EQ(structure.can_yield(0, z), z % 4 == 3);
      EXPECT_EQ(structure.can_yield(1, z), z % 4 != 3);
    }
    EXPECT_EQ(study(name).known.policy.inverse_temperature, 1.0);
  }
}

TEST(AdniStudy, FortyRowsGiveExactlyTheExpectedRecords) {
  EXPECT_EQ(records_of(study("tadpole.toml"), here("tadpole_40.csv")), kRecords);
}

TEST(AdniStudy, EveryRowIsAccountedFor) {
  MappingReport report;
  records_of(study("tadpole.toml"), here("tadpole_40.csv"), &report);
  const Attrition& attrition = report.attrition;
  EXPECT_EQ(attrition.rows_in, 40);
  EXPECT_EQ(attrition.patients_in, 13);
  EXPECT_EQ(attrition.rows_kept, 21);
  EXPECT_EQ(attrition.patients_kept, 8);
  std::vector<std::pair<std::int64_t, std::int64_t>> dropped;  // rows, patients
  std::int64_t rows = attrition.rows_kept;
  std::int64_t patients = attrition.patients_kept;
  for (const Attrition::Stage& stage : attrition.dropped) {
    if (stage.rows > 0) dropped.emplace_back(stage.rows, stage.patients);
    rows += stage.rows;
    patients += stage.patients;
  }
  EXPECT_EQ(rows, 40);
  EXPECT_EQ(patients, 13);
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {
      {4, 0},  // m03, sc, nv, uns1
      {1, 0},  // no diagnosis
      {2, 0},  // no CDR-SB
      {4, 3},  // no baseline: 6, 7, 8
      {4, 0},  // after a gap: 3 (twice), 29, 31
      {4, 2},  // the last diagnosis is a change: 5, 21
  };
  EXPECT_EQ(dropped, expected) << ::testing::PrintToString(attrition.dropped.size());
}

TEST(AdniStudy, SemicolonsReadTheSame) {
  const std::string path = ::testing::TempDir() + "/tadpole_40_semicolons.csv";
  std::ofstream(path) << with_delimiter(';');
  EXPECT_EQ(records_of(study("tadpole.toml"), path), kRecords);
  fs::remove(path);
}

// adnimerge.toml knows no DXCHANGE: patient 10 loses the baseline, and 21 the change, so one visit is left.
TEST(AdniStudy, AdnimergeReadsTheSameTableByDxAlone) {
  std::vector<ExpectedRecord> expected = kRecords;
  expected.erase(expected.begin() + 3);
  expected.insert(
      expected.begin() + 3,
      {"21", {"bl"}, {"mri: questionable | within"}, {"MCI"}, {"false", "", "true", "Female"}, "11"});
  EXPECT_EQ(records_of(study("adnimerge.toml"), here("tadpole_40.csv")), expected);
}

}  // namespace
}  // namespace interpole::data
