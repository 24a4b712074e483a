#include "interpole/environments/write_visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpole/base/error.hpp"

namespace interpole {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class WriteVisits : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/write_visits_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/visits.csv"; }
  std::string text() const {
    std::ostringstream content;
    content << std::ifstream(path(), std::ios::binary).rdbuf();
    return content.str();
  }

  std::string folder_;
};

TEST_F(WriteVisits, WritesOneLinePerStep) {
  const SimulateOptions options{.patients = 3, .seed = 11};
  write_visits(path(), bias(), options);
  const Structure structure = bias().truth.structure;
  std::string expected = "patient,step,action,observation\n";
  simulate(bias(), options, [&](const Record& record) {
    for (std::size_t t = 0; t < record.steps.size(); ++t) {
      const Step step = record.steps[t];
      expected += record.patient + "," + std::to_string(t + 1) + "," + structure.actions[step.action] + "," +
                  (step.observation == kMissing ? "" : structure.observations[step.observation]) + "\n";
    }
  });
  EXPECT_EQ(text(), expected);
  EXPECT_THAT(expected, HasSubstr("\np000003,1,monitor,"));
}

TEST_F(WriteVisits, QuotesNamesThatNeedIt) {
  Environment environment = diag();
  environment.truth.structure.actions = {"monitor, again", "declare \"healthy\"", "declare\ndiseased"};
  write_visits(path(), environment, {.patients = 40, .seed = 1});
  EXPECT_THAT(text(), HasSubstr("p000001,1,\"monitor, again\","));
  EXPECT_THAT(text(), HasSubstr(",\"declare \"\"healthy\"\"\",\n"));
  EXPECT_THAT(text(), HasSubstr(",\"declare\ndiseased\",\n"));
}

TEST_F(WriteVisits, NoPatientsLeaveAHeader) {
  write_visits(path(), diag(), {.patients = 0});
  EXPECT_EQ(text(), "patient,step,action,observation\n");
}

class StopAfterABlock : public Sink {
 public:
  void progress(const std::string&, std::int64_t, std::int64_t) override { stop_ = true; }
  bool stop_requested() const override { return stop_; }

 private:
  bool stop_ = false;
};

TEST_F(WriteVisits, AnInterruptedRunLeavesTheOldFile) {
  std::ofstream(path()) << "old";
  StopAfterABlock sink;
  try {
    write_visits(path(), diag(), {.patients = 100000}, sink);
    FAIL() << "was not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_THAT(error.what(), StartsWith("stopped after simulating"));
  }
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // no temporary file either
}

}  // namespace
}  // namespace interpole
