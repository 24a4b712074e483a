// studies/icu-lactate: levels at their cuts, pressures carried forward, stays joined; and the whole of set A
// where it is at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/mapping/mapped_table.hpp"
#include "interpole/study.hpp"

namespace interpole::data {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const fs::path kRoot = base::source_folder();

Study icu_study() {
  return read_study((kRoot / "studies/icu-lactate/icu-lactate.toml").string());
}

DataFiles tables(const fs::path& folder) {
  const Texts values = {"steps=" + (folder / "seta_steps.csv").string(),
                        "stays=" + (folder / "seta_stays.csv").string()};
  return parse_data_files(values);
}

class IcuLactateStudy : public ::testing::Test {
 protected:
  Texts outcomes_of(const std::string& steps) const {
    std::ofstream(folder_.file("seta_steps.csv")) << "id,t,a,z,map_min,lactate_max,map_carried\n" << steps;
    std::ofstream(folder_.file("seta_stays.csv"))
        << "id,age,sex,icu_type,saps1,sofa,los_days,died_in_hospital\n"
           "7,70,F,2,9,-1,5,1\n";
    Texts outcomes;
    const Study used = icu_study();
    for_each_mapped_record(used, tables(folder_.path()), [&](const RecordView& record) {
      for (const Step& step : record.steps) outcomes.push_back(used.structure.observations[step.observation]);
      covariates_.assign(record.covariates.begin(), record.covariates.end());
      return true;
    });
    return outcomes;
  }

  const base::TemporaryFolder folder_;
  mutable Texts covariates_;
};

TEST_F(IcuLactateStudy, AValueOnACutBelongsToTheLevelAbove) {
  EXPECT_EQ(
      outcomes_of("7,0,1,,70,4,0\n7,1,1,,69.99,3.99,0\n7,2,1,,60,2,0\n7,3,1,,59.99,1.99,0\n7,4,0,,80,,0\n"),
      (Texts{">=70 | >=4", "60-70 | 2-4", "60-70 | 2-4", "<60 | <2", ">=70 | not ordered"}));
}

TEST_F(IcuLactateStudy, AMissingPressureIsThatOfTheWindowBefore) {
  EXPECT_EQ(outcomes_of("7,2,1,,,1,1\n7,0,0,,,,1\n7,1,0,,55,,0\n"),
            (Texts{">=70 | not ordered", "<60 | not ordered", "<60 | <2"}));
}

TEST_F(IcuLactateStudy, StaysGiveTheCohorts) {
  outcomes_of("7,0,0,,80,,0\n");
  EXPECT_EQ(covariates_, (Texts{"true", "F", "cardiac surgery", "", "true"}));
}

// The priors must differ between any two states: it is they that name them.
TEST_F(IcuLactateStudy, PriorsTellTheStatesApart) {
  const Study used = icu_study();
  const std::vector<double>& prior = used.priors.concentration.observation;
  const auto row = [&](std::ptrdiff_t action, std::ptrdiff_t state) {
    return std::vector<double>(prior.begin() + (action * 3 + state) * 12,
                               prior.begin() + (action * 3 + state + 1) * 12);
  };
  for (const int action : {0, 1}) {
    EXPECT_NE(row(action, 0), row(action, 1));
    EXPECT_NE(row(action, 1), row(action, 2));
  }
  const int high = used.structure.find_observation("<60 | >=4");
  EXPECT_GT(row(1, 2)[high], row(1, 1)[high]);
  EXPECT_GT(row(1, 1)[high], row(1, 0)[high]);
}

// z = 4 z0 + z1, with z0: 0 >=70, 1 60-70, 2 <60, and z1: 0 not ordered, 1 <2, 2 2-4, 3 >=4.
TEST_F(IcuLactateStudy, SetAGivesTheOutcomesItWasPublishedWith) {
  const fs::path folder = kRoot / "../shared/data/icu_lactate";
  if (!fs::exists(folder)) GTEST_SKIP() << "no folder ../shared/data/icu_lactate beside the project";
  std::map<std::string, std::vector<std::string>> published;
  std::ifstream file(folder / "seta_steps.csv");
  std::string line;
  std::getline(file, line);
  const Texts pressure = {">=70", "60-70", "<60"};
  const Texts lactate = {"not ordered", "<2", "2-4", ">=4"};
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string id, t, a, z;
    for (std::string* cell : {&id, &t, &a, &z}) std::getline(cells, *cell, ',');
    published[id].push_back(pressure[std::stoi(z) / 4] + " | " + lactate[std::stoi(z) % 4]);
  }
  const Study used = icu_study();
  std::int64_t windows = 0;
  for_each_mapped_record(used, tables(folder), [&](const RecordView& record) {
    Texts outcomes;
    for (const Step& step : record.steps) outcomes.push_back(used.structure.observations[step.observation]);
    EXPECT_EQ(outcomes, published[std::string(record.patient)]) << record.patient;
    windows += static_cast<std::int64_t>(outcomes.size());
    return true;
  });
  EXPECT_EQ(windows, 31496);
}

}  // namespace
}  // namespace interpole::data
