#include "interpole/model/parameter_words.hpp"

#include <gmock/gmock.h>

#include "interpole/model/parameter_space.hpp"

namespace interpole::model {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::Not;

const Structure kClinic =
    Structure::unrestricted({"NL", "MCI", "Dementia"}, {"no-mri", "mri"}, {"low", "high"});

std::vector<std::string> words(std::vector<std::string> names) {
  return parameter_words(kClinic, names);
}

TEST(ParameterWords, SayWhatARowIsAbout) {
  EXPECT_THAT(words({"means[mri]"}), ElementsAre("where the mean of \"mri\" lies"));
  EXPECT_THAT(words({"transition[mri,MCI]"}), ElementsAre("how \"MCI\" changes after \"mri\""));
  EXPECT_THAT(words({"observation[mri,NL]"}), ElementsAre("what \"mri\" shows if the patient is \"NL\""));
  EXPECT_THAT(words({"inverse_temperature"}), ElementsAre("how strictly decisions follow beliefs"));
  EXPECT_THAT(words({"initial_belief"}), ElementsAre("what is believed before the first decision"));
}

TEST(ParameterWords, TellDecisionMakerAndWorldApart) {
  EXPECT_THAT(words({"world.transition[mri,NL]", "gap of transition[mri,NL]", "world.initial_belief"}),
              ElementsAre("how \"NL\" changes after \"mri\", in the world",
                          "whether decision-maker and world differ in how \"NL\" changes after \"mri\"",
                          "where patients start, in the world"));
}

TEST(ParameterWords, RowsOfOneTopicShareAPhraseAtThePlaceOfTheFirst) {
  EXPECT_THAT(
      words({"gap of observation[mri,MCI]", "means[no-mri]", "gap of observation[mri,NL]", "means[mri]",
             "transition[mri,NL]", "transition[no-mri,NL]", "transition[mri,MCI]", "means[mri]"}),
      ElementsAre("whether decision-maker and world differ in what \"mri\" shows if the patient is "
                  "\"MCI\" or \"NL\"",
                  "where the means of \"no-mri\" and \"mri\" lie",
                  "how \"NL\" and \"MCI\" change after \"mri\"", "how \"NL\" changes after \"no-mri\""));
}

TEST(ParameterWords, AllStatesNeedNoNames) {
  EXPECT_THAT(
      words({"world.observation[mri,NL]", "world.observation[mri,MCI]", "world.observation[mri,Dementia]",
             "transition[mri,Dementia]", "transition[mri,NL]", "transition[mri,MCI]"}),
      ElementsAre("what \"mri\" shows, in the world", "how patients change after \"mri\""));
}

TEST(ParameterWords, EveryRowASpaceNamesHasWords) {
  const auto clinic = Structure::unrestricted({"a,b", "gap of c]"}, {"world.x", "[y,z]"}, {"low", "high"});
  std::vector<std::string> names;
  const DynamicsSpace dynamics(clinic, Dynamics::filled(clinic, NAN));
  for (const auto& block : dynamics.blocks()) {
    for (const char* prefix : {"", "world.", "gap of "}) names.push_back(prefix + block.name);
  }
  const PolicySpace policy(clinic, Policy::filled(clinic, NAN));
  for (const auto& block : policy.blocks()) names.push_back(block.name);
  for (const std::string& name : names) {
    const auto phrase = parameter_words(clinic, std::vector{name});
    ASSERT_EQ(phrase.size(), 1u) << name;
    EXPECT_THAT(phrase[0], Not(ContainsRegex("means\\[|transition\\[|observation\\[|initial_belief")));
  }
}

TEST(ParameterWords, NamesOfNoParameterAreLeftOut) {
  EXPECT_THAT(words({"means[ct]", "", "gap of ", "group 1: means[mri]"}), ElementsAre());
}

TEST(ParameterWords, SayOfWhichKindOfDecisionMakers) {
  const Structure clinic = Structure::unrestricted({"well", "ill"}, {"wait", "treat"}, {"low", "high"});
  const std::vector<std::string> names = {"kind 2 means[wait]", "kind 2 means[treat]", "kind 3 means[wait]"};
  const auto words = parameter_words(clinic, names);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0], "where the means of \"wait\" and \"treat\" lie, for kind 2");
  EXPECT_EQ(words[1], "where the mean of \"wait\" lies, for kind 3");
}

}  // namespace
}  // namespace interpole::model
