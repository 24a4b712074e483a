// What is read from a study file.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data/study/study_file_testing.hpp"
#include "interpole/data/study/study_words.hpp"

namespace interpole::data {
namespace {

using study_file::kHead;
using study_file::parse;
using study_file::slice;
using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

TEST(Study, ReadsStructure) {
  const Study study = parse("");
  EXPECT_THAT(study.structure.states, ElementsAre("healthy", "diseased"));
  EXPECT_THAT(study.structure.actions, ElementsAre("monitor", "biopsy", "declare"));
  EXPECT_THAT(study.structure.observations, ElementsAre("negative", "positive", "unclear"));
  EXPECT_THAT(study.structure.terminal, ElementsAre(0, 0, 1));
  EXPECT_THAT(study.structure.allowed, ElementsAre(1, 1, 1, 1, 1, 0, 0, 0, 0));
  EXPECT_EQ(study.name, "");
  EXPECT_FALSE(study.labels.has_value());
}

TEST(Study, KnowsOnlyWhatTheStructureSaysWhenNothingIsStated) {
  const Study study = parse("");
  EXPECT_THAT(study.known.dynamics.initial, Each(IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.transition, 0, 8), Each(IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.transition, 8, 4), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(slice(study.known.dynamics.observation, 0, 6), Each(IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.observation, 6, 6),
              ElementsAre(IsNan(), IsNan(), 0, IsNan(), IsNan(), 0));
  EXPECT_THAT(slice(study.known.dynamics.observation, 12, 6), Each(0.0));
  EXPECT_THAT(study.known.policy.means, Each(IsNan()));
  EXPECT_THAT(study.known.policy.inverse_temperature, IsNan());
  EXPECT_THAT(study.start.dynamics.transition, Each(IsNan()));
  EXPECT_EQ(study.priors, Priors::defaults(study.structure));
}

TEST(Study, ReadsKnownValuesWholeAndByElement) {
  const Study study = parse(R"([known]
initial_belief = [0.25, 0.75]
inverse_temperature = 10
transition.monitor = "identity"
transition.biopsy = [[1, 0], ["?", "?"]]
observation.monitor = [[0.6, "?", "?"], ["?", "?", "?"]]
observation.biopsy = [[0.9, 0.1, "?"], ["?", "?", 0]]
means.declare = [1.3, -0.3]
)");
  EXPECT_THAT(study.known.dynamics.initial, ElementsAre(0.25, 0.75));
  EXPECT_EQ(study.known.policy.inverse_temperature, 10.0);
  EXPECT_THAT(slice(study.known.dynamics.transition, 0, 8), ElementsAre(1, 0, 0, 1, 1, 0, IsNan(), IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.observation, 0, 6),
              ElementsAre(0.6, IsNan(), IsNan(), IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(slice(study.known.dynamics.observation, 6, 6), ElementsAre(0.9, 0.1, 0, IsNan(), IsNan(), 0));
  EXPECT_THAT(study.known.policy.means, ElementsAre(IsNan(), IsNan(), IsNan(), IsNan(), 1.3, -0.3));
}

TEST(Study, FillsInElementsThatTheRestOfTheirRowDetermines) {
  const Study study = parse(R"([known]
initial_belief = [0.25, "?"]
observation.biopsy = [[0.9, "?", "?"], ["?", 0.5, 0]]
means.declare = ["?", 1.5]
)");
  EXPECT_THAT(study.known.dynamics.initial, ElementsAre(0.25, 0.75));
  EXPECT_THAT(slice(study.known.dynamics.observation, 6, 6), ElementsAre(0.9, DoubleEq(0.1), 0, 0.5, 0.5, 0));
  EXPECT_THAT(slice(study.known.policy.means, 4, 2), ElementsAre(-0.5, 1.5));
}

TEST(Study, DeterminesEverythingOfASingleStateAndASingleOutcome) {
  const Study study = parse_study(R"(format = "interpole-study"
version = 1
states = ["only"]
observations = ["a", "b"]
[[actions]]
name = "look"
outcomes = ["b"]
)",
                                  "s.toml");
  EXPECT_THAT(study.known.dynamics.initial, ElementsAre(1));
  EXPECT_THAT(study.known.dynamics.transition, ElementsAre(1));
  EXPECT_THAT(study.known.dynamics.observation, ElementsAre(0, 1));
  EXPECT_THAT(study.known.policy.means, ElementsAre(1));
}

TEST(Study, AStarSpeaksForEveryActionUnlessOneIsNamed) {
  const Study study = parse(R"([known]
transition.monitor = [["?", "?"], [0, 1]]
transition."*" = [[0.5, 0.5], [0, 1]]
means."*" = [0.5, 0.5]
means.declare = [1, 0]
)");
  EXPECT_THAT(study.known.dynamics.transition,
              ElementsAre(IsNan(), IsNan(), 0, 1, 0.5, 0.5, 0, 1, 0.5, 0.5, 0, 1));
  EXPECT_THAT(study.known.policy.means, ElementsAre(0.5, 0.5, 0.5, 0.5, 1, 0));
}

TEST(Study, AStarWithOpenElementsLeavesTerminalActionsAlone) {
  const Study study = parse("[known]\ntransition.\"*\" = [[\"?\", \"?\"], [0, 1]]\n");
  EXPECT_THAT(slice(study.known.dynamics.transition, 8, 4), ElementsAre(1, 0, 0, 1));
}

TEST(Study, ReadsStartValuesForWhatIsNotKnown) {
  const Study study = parse(R"([known]
observation.monitor = [[0.5, "?", "?"], ["?", "?", "?"]]
means.monitor = [0.5, 0.5]
[start]
initial_belief = [0.9, "?"]
inverse_temperature = 3
transition."*" = [[0.9, 0.1], ["?", "?"]]
observation.monitor = [["?", 0.3, "?"], [0.2, 0.3, 0.5]]
means."*" = [1, 0]
noise = 0.05
)");
  EXPECT_THAT(study.start.dynamics.initial, ElementsAre(0.9, DoubleEq(0.1)));
  EXPECT_EQ(study.start.policy.inverse_temperature, 3.0);
  EXPECT_THAT(slice(study.start.dynamics.transition, 0, 4), ElementsAre(0.9, 0.1, IsNan(), IsNan()));
  EXPECT_THAT(slice(study.start.dynamics.transition, 8, 4), Each(IsNan()));
  EXPECT_THAT(slice(study.start.dynamics.observation, 0, 6),
              ElementsAre(IsNan(), 0.3, DoubleEq(0.2), 0.2, 0.3, 0.5));
  EXPECT_THAT(study.start.policy.means, ElementsAre(IsNan(), IsNan(), 1, 0, 1, 0));
  EXPECT_EQ(study.start_noise, 0.05);
}

TEST(Study, ReadsPriors) {
  const Study study = parse(R"([priors]
initial_belief = [2, 3]
transition = 1.5
observation = { "*" = 2, biopsy = [[1, 2, 3], [4, 5, 6]] }
means = { sd = 4 }
inverse_temperature = { shape = 3, rate = 0.5 }
)");
  EXPECT_THAT(study.priors.concentration.initial, ElementsAre(2, 3));
  EXPECT_THAT(study.priors.concentration.transition, Each(1.5));
  EXPECT_THAT(slice(study.priors.concentration.observation, 0, 12),
              ElementsAre(2, 2, 2, 2, 2, 2, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(study.priors.means_sd, 4.0);
  EXPECT_EQ(study.priors.temperature_shape, 3.0);
  EXPECT_EQ(study.priors.temperature_rate, 0.5);
}

TEST(Study, SaysWhatAnEmptyCellStandsFor) {
  EXPECT_EQ(parse("").structure.not_recorded, kMissing);
  const std::string after_version = "version = 1\nnot_recorded = \"unclear\"";
  const Study study = parse_study(study_file::head_with("version = 1", after_version), "s.toml");
  EXPECT_EQ(study.structure.not_recorded, 2);
}

TEST(Study, ReadsLabels) {
  const Study study = parse(
      "[labels]\naction = \"biopsy\"\nobservation = \"positive\"\norder = [\"diseased\", \"healthy\"]\n");
  ASSERT_TRUE(study.labels.has_value());
  EXPECT_EQ(*study.labels, (LabelHint{{{1, 1}}, "\"positive\" after \"biopsy\"", {1, 0}}));
}

TEST(StudyFile, IsReadFromDisk) {
  const std::string path = testing::TempDir() + "study_test.toml";
  std::ofstream(path) << kHead;
  EXPECT_EQ(read_study(path).structure.action_count(), 3);
  std::ofstream(path) << kHead << "# " << std::string(1'000'000, 'x') << "\n";
  EXPECT_THAT([&] { read_study(path); },
              testing::ThrowsMessage<Error>(HasSubstr("study_test.toml: larger than 1 MB")));
  std::filesystem::remove(path);
  EXPECT_THAT(
      [&] { read_study(path); },
      testing::ThrowsMessage<Error>(HasSubstr("study_test.toml: cannot be read: No such file or directory")));
  EXPECT_THAT([&] { read_study(testing::TempDir()); },
              testing::ThrowsMessage<Error>(HasSubstr("is a folder")));
}

TEST(Study, WeighsTermsOfThePolicyUnlessItSaysWhich) {
  using Use = PolicyRequest::Use;
  EXPECT_EQ(parse("").policy, PolicyRequest{});
  EXPECT_EQ(parse("[policy]\n").policy, PolicyRequest{});
  const PolicyRequest some = parse("[policy]\nhabit = true\nlapse = false\ncontext = []\n").policy;
  EXPECT_EQ(some.habit, Use::kAlways);
  EXPECT_EQ(some.lapse, Use::kNever);
  EXPECT_EQ(some.time, Use::kByEvidence);
  EXPECT_EQ(some.missing, Use::kByEvidence);
  const PolicyRequest all = parse(R"([policy]
time = true
missing = true
period = 4
context = ["age", "sex"]
group = "site"
)")
                                .policy;
  PolicyRequest expected;
  expected.time = expected.missing = Use::kAlways;
  expected.period = 4;
  expected.context = {"age", "sex"};
  expected.group = "site";
  EXPECT_EQ(all, expected);
}

TEST(StudyWords, AreReadInOneOrder) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("s.toml");
  const auto words_of = [&](const std::string& table) {
    std::ofstream(path) << kHead << table;
    return read_study_words(path);
  };
  EXPECT_THAT(words_of(""), testing::IsEmpty());
  EXPECT_THAT(words_of("[words]\nbelated = \"late\"\ntest = [\"assay\", \"assays\"]\npatient = \"stay\"\n"),
              ElementsAre(StudyWord{"patient", "stay", "stays"}, StudyWord{"test", "assay", "assays"},
                          StudyWord{"belated", "late", ""}));
}

TEST(StudyWords, ChangeNothingElse) {
  const Study plain = parse("");
  const Study named = parse("[words]\npatient = \"stay\"\n");
  EXPECT_EQ(named.structure, plain.structure);
  EXPECT_EQ(named.name, plain.name);
}

TEST(StudyWords, AreRefusedWithTheirKey) {
  using study_file::refusal;
  EXPECT_THAT(refusal("[words]\npatients = \"stay\"\n"), HasSubstr("words.patients: unknown key"));
  EXPECT_THAT(refusal("[words]\npatient = \" \"\n"), HasSubstr("words.patient: the word is empty"));
  EXPECT_THAT(refusal("[words]\nvisit = [\"round\"]\n"),
              HasSubstr("the word for one and the word for several"));
  EXPECT_THAT(refusal("[words]\ntest = 3\n"), HasSubstr("words.test: expected"));
  EXPECT_THAT(refusal("[words]\nbelated = \"a\\tb\"\n"), HasSubstr("without control characters"));
  EXPECT_THAT(refusal("[words]\npatient = \"" + std::string(41, 'x') + "\"\n"),
              HasSubstr("41 bytes are too long"));
}

std::string study_with(const std::string& tables) {
  return R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["negative", "positive"]
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
)" + tables;
}

std::string world_refusal(const std::string& tables) {
  return study_file::refusal_of(study_with(tables));
}

TEST(StudyWorld, IsWhatIsKnownOfBothUnlessStated) {
  const Study study = parse_study(study_with("[known]\ninitial_belief = [0.7, 0.3]\n"), "s.toml");
  EXPECT_FALSE(study.world);
  EXPECT_EQ(study.known_world().initial, (std::vector<double>{0.7, 0.3}));
}

TEST(StudyWorld, StatesRowsOfItsOwnAndKeepsTheOthers) {
  const Study study = parse_study(study_with("[known]\ninitial_belief = [0.7, 0.3]\n"
                                             "[world]\nobservation.test = [[0.9, 0.1], [0.4, 0.6]]\n"),
                                  "s.toml");
  ASSERT_TRUE(study.world);
  EXPECT_EQ(study.known_world().initial, (std::vector<double>{0.7, 0.3}));
  EXPECT_EQ(study.known_world().observation[2], 0.4);
  EXPECT_TRUE(std::isnan(study.known.dynamics.observation[2]));
  EXPECT_TRUE(std::isnan(study.known_world().transition[0]));
}

TEST(StudyWorld, MayDifferFromWhatIsKnownOfTheAgent) {
  const Study study = parse_study(
      study_with("[known]\ninitial_belief = [0.7, 0.3]\n[world]\ninitial_belief = [0.5, 0.5]\n"), "s.toml");
  EXPECT_EQ(study.known.dynamics.initial[0], 0.7);
  EXPECT_EQ(study.known_world().initial[0], 0.5);
}

TEST(StudyWorld, RefusesHalfARow) {
  EXPECT_EQ(world_refusal("[world]\nobservation.test = [[\"?\", \"?\"], [0.4, 0.6]]\n"),
            "accepted");  // a row left open is as if it were not stated
  const std::string three = R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "middle", "high"]
[[actions]]
name = "test"
[world]
observation.test = [[0.2, "?", "?"], [0.4, 0.3, 0.3]]
)";
  const std::string complaint = study_file::refusal_of(three);
  EXPECT_THAT(complaint, HasSubstr("s.toml"));
  EXPECT_THAT(complaint, HasSubstr("observation"));
  EXPECT_THAT(complaint, HasSubstr("state all of it, or none"));
}

TEST(StudyWorld, RefusesWhatOnlyAnAgentHas) {
  EXPECT_THAT(world_refusal("[world]\nmeans.test = [0.5, 0.5]\n"), HasSubstr("means"));
}

}  // namespace
}  // namespace interpole::data
