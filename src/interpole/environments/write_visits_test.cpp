#include "interpole/environments/write_visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/environments/written_table_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using WriteVisits = WrittenTableTest;

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

TEST_F(WriteVisits, AnInterruptedRunLeavesTheOldFile) {
  std::ofstream(path()) << "old";
  StopAfterABlock sink;
  EXPECT_THAT(base::complaint_of([&] { write_visits(path(), diag(), {.patients = 100000}, sink); },
                                 ErrorKind::kInterrupted),
              StartsWith("stopped after simulating"));
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files_in_folder(), 1);  // no temporary file either
}

}  // namespace
}  // namespace interpole::environments
