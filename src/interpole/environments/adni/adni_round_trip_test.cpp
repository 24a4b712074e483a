// Simulator and study against each other: what studies/adni finds in a simulated table is exactly what was
// put in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/environments/adni/adni.hpp"
#include "interpole/environments/adni/adni_table.hpp"
#include "interpole/study.hpp"

namespace interpole::environments {
namespace {

namespace fs = std::filesystem;

class AdniRoundTrip : public ::testing::TestWithParam<const char*> {
 protected:
  static Study study() {
    const fs::path folder = base::source_folder() / "studies/adni";
    return read_study((folder / (std::string(GetParam()) + ".toml")).string());
  }
  // The records found in a table written with these options, and what became of its rows.
  static std::vector<Record> read_back(const SimulateOptions& options, AdniTableSummary& written,
                                       data::MappingReport& report) {
    std::string path = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(path.begin(), path.end(), '/', '_');
    path = ::testing::TempDir() + "/adni_round_trip_" + path + ".csv";
    written = write_adni_table(path, options, adni_format_named(GetParam()));
    std::vector<Record> records;
    data::for_each_mapped_record(
        study(), data_file(path),
        [&](const data::RecordView& view) {
          records.push_back({std::string(view.patient), {view.steps.begin(), view.steps.end()}});
          return true;
        },
        &report);
    fs::remove(path);
    return records;
  }
};

TEST_P(AdniRoundTrip, TheStudyHasTheStructureOfTheTruth) {
  EXPECT_EQ(study().structure, adni().truth.structure);
}

TEST_P(AdniRoundTrip, TheStudyFindsExactlyTheExpectedRecords) {
  const SimulateOptions options{.patients = 3000, .seed = 12};
  AdniTableSummary written;
  data::MappingReport report;
  const auto found = read_back(options, written, report);
  const auto expected = expected_records(options);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].patient, expected[i].patient);
    ASSERT_EQ(found[i].steps, expected[i].steps) << "patient " << found[i].patient;
  }
}

TEST_P(AdniRoundTrip, TheAttritionTableAddsUpToTheLastRow) {
  AdniTableSummary written;
  data::MappingReport report;
  read_back({.patients = 1737, .seed = 13}, written, report);
  std::int64_t rows = report.attrition.rows_kept;
  std::int64_t patients = report.attrition.patients_kept;
  for (const data::Attrition::Stage& stage : report.attrition.dropped) {
    rows += stage.rows;
    patients += stage.patients;
  }
  EXPECT_EQ(report.attrition.rows_in, written.rows);
  EXPECT_EQ(rows, written.rows);
  EXPECT_EQ(patients, 1737);
  EXPECT_EQ(report.attrition.rows_kept, written.decisions);
  EXPECT_EQ(report.attrition.patients_kept, written.records);
}

INSTANTIATE_TEST_SUITE_P(Formats, AdniRoundTrip, ::testing::Values("adnimerge", "tadpole"),
                         [](const auto& format) { return std::string(format.param); });

}  // namespace
}  // namespace interpole::environments
