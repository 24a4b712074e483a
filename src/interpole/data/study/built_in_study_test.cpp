#include "interpole/data/study/built_in_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using ::testing::HasSubstr;

TEST(BuiltInStudy, SpeaksOfThePapersDecisions) {
  const std::vector<std::string> diagnosis = {"monitor", "declare-healthy", "declare-diseased"};
  EXPECT_EQ(built_in_study("diag").structure.actions, diagnosis);
  EXPECT_EQ(built_in_study("bias").structure.actions, diagnosis);
  const Study adni = built_in_study("adni");
  EXPECT_EQ(adni.structure.actions, (std::vector<std::string>{"no-mri", "mri"}));
  EXPECT_EQ(adni.structure.observation_count(), 12);
  EXPECT_TRUE(adni.mapping.has_value());
  EXPECT_EQ(adni.known.policy.inverse_temperature, 1.0);
}

// DIAG learns the first belief, BIAS knows it (paper, C.1).
TEST(BuiltInStudy, TellsDiagAndBiasApart) {
  EXPECT_TRUE(built_in_study("diag").known.dynamics.initial[0] != 0.5);  // NaN: to be learned
  EXPECT_EQ(built_in_study("bias").known.dynamics.initial[0], 0.5);
}

TEST(BuiltInStudy, NamesTheKnownOnes) {
  const std::string complaint = base::complaint_of([&] { built_in_study("adnl"); }, ErrorKind::kUsage);
  EXPECT_THAT(complaint, HasSubstr("\"adnl\""));
  EXPECT_THAT(complaint, HasSubstr("diag, bias, adni"));
}

}  // namespace
}  // namespace interpole::data
