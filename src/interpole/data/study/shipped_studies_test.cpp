// The studies that come with the program, as files and as part of the library, say what they are meant to
// say.

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/source_folder_testing.hpp"
#include "interpole/data/study/built_in_study.hpp"
#include "interpole/data/study/study_file_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using study_file::slice;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

// The studies that come with the program sit at the top of the source tree.
std::string shipped(const std::string& name) {
  return (base::source_folder() / "studies" / name).string();
}

TEST(ShippedStudy, DiagLearnsInitialBeliefObservationsAndDeclarations) {
  const Study study = read_study(shipped("diag.toml"));
  EXPECT_EQ(study.name, "DIAG");
  EXPECT_THAT(study.structure.actions, ElementsAre("monitor", "declare-healthy", "declare-diseased"));
  EXPECT_THAT(study.structure.terminal, ElementsAre(0, 1, 1));
  EXPECT_THAT(study.known.dynamics.initial, Each(IsNan()));
  EXPECT_THAT(study.known.dynamics.transition, ElementsAre(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1));
  EXPECT_THAT(slice(study.known.dynamics.observation, 0, 4), Each(IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.observation, 4, 8), Each(0.0));
  EXPECT_EQ(study.known.policy.inverse_temperature, 10.0);
  EXPECT_THAT(study.known.policy.means, ElementsAre(0.5, 0.5, IsNan(), IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(study.start.policy.means, ElementsAre(IsNan(), IsNan(), 1, 0, 0, 1));
  EXPECT_EQ(study.start_noise, 0.001);
  ASSERT_TRUE(study.labels.has_value());
  EXPECT_EQ(*study.labels, (LabelHint{{{0, 1}}, "\"positive\" after \"monitor\"", {0, 1}}));
}

TEST(ShippedStudy, BiasDiffersFromDiagOnlyInTheKnownInitialBelief) {
  const Study diag = read_study(shipped("diag.toml"));
  const Study bias = read_study(shipped("bias.toml"));
  EXPECT_EQ(bias.name, "BIAS");
  EXPECT_EQ(bias.structure, diag.structure);
  EXPECT_THAT(bias.known.dynamics.initial, ElementsAre(0.5, 0.5));
  EXPECT_EQ(bias.known.dynamics.transition, diag.known.dynamics.transition);
  EXPECT_THAT(slice(bias.known.dynamics.observation, 0, 4), Each(IsNan()));
  EXPECT_THAT(bias.known.policy.means, ElementsAre(0.5, 0.5, IsNan(), IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(bias.start.policy.means, ElementsAre(IsNan(), IsNan(), 1, 0, 0, 1));
  EXPECT_EQ(bias.labels, diag.labels);
}

TEST(ShippedStudy, TreeKeepsEachTestsOutcomesApart) {
  const Structure structure = read_study(shipped("tree.toml")).structure;
  const int first_test = structure.find_action("tst-dis");
  ASSERT_GE(first_test, 0);
  EXPECT_TRUE(structure.can_yield(first_test, structure.find_observation("risk-low")));
  EXPECT_FALSE(structure.can_yield(first_test, structure.find_observation("type-a")));
}

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
