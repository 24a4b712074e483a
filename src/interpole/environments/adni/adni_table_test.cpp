#include "interpole/environments/adni/adni_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/environments/adni/adni.hpp"
#include "interpole/environments/written_table_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// Cells of one line. Ours hold no quotes and no line breaks.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

bool missing(const std::string& cell) {
  return cell.empty() || cell == " " || cell == "NA" || cell == "-4";
}

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  const std::string& at(std::size_t row, const char* column) const {
    return rows[row][std::find(columns.begin(), columns.end(), column) - columns.begin()];
  }
};

class AdniTable : public WrittenTableTest {
 protected:
  AdniTableSummary write(const SimulateOptions& options, AdniFormat format = AdniFormat::kTadpole) const {
    return write_adni_table(path(), options, format);
  }
  Table table() const {
    std::istringstream lines(text());
    std::string line;
    Table result;
    std::getline(lines, line);
    result.columns = split(line);
    while (std::getline(lines, line)) result.rows.push_back(split(line));
    return result;
  }
};

TEST_F(AdniTable, HasTheRealColumns) {
  write({.patients = 0}, AdniFormat::kAdnimerge);
  const std::vector<std::string> used = {"RID",      "PTID",  "VISCODE", "SITE",        "EXAMDATE", "AGE",
                                         "PTGENDER", "APOE4", "CDRSB",   "Hippocampus", "DX",       "DX_bl"};
  EXPECT_THAT(table().columns, IsSupersetOf(used));
  EXPECT_THAT(table().columns, ::testing::Not(::testing::Contains("DXCHANGE")));
  write({.patients = 0}, AdniFormat::kTadpole);
  EXPECT_THAT(table().columns, IsSupersetOf(used));
  EXPECT_THAT(table().columns, ::testing::Contains("DXCHANGE"));
  EXPECT_THAT(table().columns, ::testing::Contains("EXAMDATE_UCSFFSX_11_02_15_UCSFFSX51_08_01_16"));
  EXPECT_TRUE(table().rows.empty());
  const auto columns = table().columns;
  EXPECT_EQ(std::set<std::string>(columns.begin(), columns.end()).size(), columns.size());
}

TEST_F(AdniTable, CountsRowsPatientsAndWhatTheStudyKeeps) {
  const SimulateOptions options{.patients = 1737, .seed = 2};
  for (const AdniFormat format : {AdniFormat::kAdnimerge, AdniFormat::kTadpole}) {
    const AdniTableSummary summary = write(options, format);
    const Table written = table();
    EXPECT_EQ(summary.rows, written.rows.size());
    std::set<std::string> patients;
    std::set<std::pair<std::string, std::string>> visits;
    for (std::size_t i = 0; i < written.rows.size(); ++i) {
      ASSERT_EQ(written.rows[i].size(), written.columns.size()) << "row " << i;
      patients.insert(written.at(i, "RID"));
      EXPECT_TRUE(visits.insert({written.at(i, "RID"), written.at(i, "VISCODE")}).second);
    }
    EXPECT_EQ(patients.size(), 1737);
    const auto expected = expected_records(options);
    EXPECT_EQ(summary.records, expected.size());
    std::int64_t decisions = 0;
    for (const Record& record : expected) decisions += static_cast<std::int64_t>(record.steps.size());
    EXPECT_EQ(summary.decisions, decisions);
  }
}

TEST_F(AdniTable, CellsAgreeWithThePatient) {
  write({.patients = 300, .seed = 4});
  const Table written = table();
  std::map<std::pair<std::string, std::string>, std::size_t> row_of;
  for (std::size_t i = 0; i < written.rows.size(); ++i)
    row_of[{written.at(i, "RID"), written.at(i, "VISCODE")}] = i;
  AdniPatient patient;
  for (int number = 1; number <= 300; ++number) {
    simulate_adni_patient(adni(), 4, number, 0, patient);
    for (const AdniVisit& visit : patient.visits) {
      const std::size_t row = row_of.at({std::to_string(number), std::string(visit.code)});
      const std::string& rating = written.at(row, "CDRSB");
      ASSERT_EQ(missing(rating), !visit.has_cdr);
      if (visit.has_cdr) {
        const double value = std::stod(rating);
        EXPECT_EQ(value <= 0.0 ? 0 : value <= 2.5 ? 1 : 2, cdr_of(visit.outcome)) << rating;
        EXPECT_EQ(2.0 * value, std::round(2.0 * value));
      }
      const std::string& volume = written.at(row, "Hippocampus");
      ASSERT_EQ(missing(volume), hippocampus_of(visit.outcome) == kNotOrdered);
      if (!missing(volume)) {
        const double value = std::stod(volume);
        EXPECT_EQ(value < 6029.5 ? 0 : value <= 7254.5 ? 1 : 2, hippocampus_of(visit.outcome)) << volume;
      }
      EXPECT_EQ(missing(written.at(row, "DXCHANGE")), !visit.has_diagnosis);
      EXPECT_EQ(missing(written.at(row, "DX")), !visit.has_diagnosis || visit.only_code);
      EXPECT_EQ(written.at(row, "PTGENDER"), patient.female ? "Female" : "Male");
    }
  }
}

TEST_F(AdniTable, ADiagnosisIsWrittenAsPreviousToCurrent) {
  write({.patients = 2000, .seed = 5});
  const Table written = table();
  std::map<std::string, std::set<std::string>> texts;  // by DXCHANGE
  for (std::size_t i = 0; i < written.rows.size(); ++i) {
    if (!missing(written.at(i, "DX"))) texts[written.at(i, "DXCHANGE")].insert(written.at(i, "DX"));
  }
  EXPECT_EQ(texts["1"], (std::set<std::string>{"CN", "NL"}));
  EXPECT_EQ(texts["2"], (std::set<std::string>{"MCI"}));
  EXPECT_EQ(texts["3"], (std::set<std::string>{"Dementia"}));
  EXPECT_EQ(texts["4"], (std::set<std::string>{"CN to MCI", "NL to MCI"}));
  EXPECT_EQ(texts["5"], (std::set<std::string>{"MCI to Dementia"}));
  EXPECT_EQ(texts["7"], (std::set<std::string>{"MCI to CN", "MCI to NL"}));
  EXPECT_EQ(texts["8"], (std::set<std::string>{"Dementia to MCI"}));
}

TEST_F(AdniTable, MissingValuesComeInAllFourWays) {
  write({.patients = 500, .seed = 6});
  const Table written = table();
  for (const char* column : {"CDRSB", "Hippocampus", "DX"}) {
    std::set<std::string> ways;
    for (std::size_t i = 0; i < written.rows.size(); ++i) {
      if (missing(written.at(i, column))) ways.insert(written.at(i, column));
    }
    EXPECT_EQ(ways, (std::set<std::string>{"", " ", "NA", "-4"})) << column;
  }
}

TEST_F(AdniTable, RowsAreMixed) {
  write({.patients = 200, .seed = 7});
  const Table written = table();
  int backwards = 0;
  int strangers = 0;
  std::map<std::string, int> latest;
  for (std::size_t i = 0; i < written.rows.size(); ++i) {
    const std::string& rid = written.at(i, "RID");
    const int month = std::stoi(written.at(i, "Month"));
    backwards += latest.count(rid) > 0 && month < latest[rid];
    latest[rid] = month;
    strangers += i > 0 && rid != written.at(i - 1, "RID");
  }
  EXPECT_GT(backwards, 200);  // in random order nearly every patient has at least one step back
  EXPECT_GT(strangers, static_cast<int>(written.rows.size()) / 2);
}

TEST_F(AdniTable, HippocampalVolumesHaveTheAuthorsMeanAndSpread) {
  write({.patients = 5000, .seed = 8});
  const Table written = table();
  double count = 0.0;
  double sum = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < written.rows.size(); ++i) {
    if (missing(written.at(i, "Hippocampus"))) continue;
    const double volume = std::stod(written.at(i, "Hippocampus"));
    ++count;
    sum += volume;
    square += volume * volume;
  }
  const double mean = sum / count;
  // Shaped like the authors' population, not fitted to it: within 2% of the mean and 3% of the spread, each
  // several times its Monte Carlo error (below 25 and 18 for 5,000 patients).
  EXPECT_NEAR(mean, kHippocampusMean, 0.02 * kHippocampusMean);
  EXPECT_NEAR(std::sqrt(square / count - mean * mean), kHippocampusSpread, 0.03 * kHippocampusSpread);
}

TEST_F(AdniTable, ThreadsDoNotChangeTheFileAndSeedsDo) {
  write({.patients = 1000, .seed = 9, .threads = 1});
  const std::string one = text();
  write({.patients = 1000, .seed = 9, .threads = 3});
  EXPECT_TRUE(text() == one);
  write({.patients = 1000, .seed = 10, .threads = 1});
  EXPECT_FALSE(text() == one);
}

TEST_F(AdniTable, APatientsRowsDoNotDependOnHowManyThereAre) {
  const auto rows_of_17 = [&] {
    std::set<std::string> rows;
    std::istringstream lines(text());
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("17,", 0) == 0) rows.insert(line);
    }
    return rows;
  };
  write({.patients = 20, .seed = 11});
  const auto few = rows_of_17();
  write({.patients = 400, .seed = 11});
  EXPECT_EQ(rows_of_17(), few);
  EXPECT_FALSE(few.empty());
}

TEST_F(AdniTable, AnInterruptedRunLeavesTheOldFile) {
  std::ofstream(path()) << "old";
  StopAfterABlock sink;
  EXPECT_THAT(base::complaint_of(
                  [&] { write_adni_table(path(), {.patients = 100000}, AdniFormat::kAdnimerge, sink); },
                  ErrorKind::kInterrupted),
              HasSubstr("of 100000 patients; nothing was kept"));
  EXPECT_EQ(text(), "old");
}

TEST(AdniFormats, AnUnknownOneListsTheKnownOnes) {
  EXPECT_EQ(adni_format_named("adnimerge"), AdniFormat::kAdnimerge);
  EXPECT_EQ(adni_format_named("tadpole"), AdniFormat::kTadpole);
  EXPECT_THAT(base::complaint_of([&] { adni_format_named("tapdole"); }, ErrorKind::kUsage),
              HasSubstr("\"tapdole\"; choose adnimerge or tadpole"));
}

}  // namespace
}  // namespace interpole::environments
