#include "interpole/base/messages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace interpole::base {
namespace {

const std::vector<std::string> kActions = {"monitor", "declare-healthy", "declare-diseased"};

TEST(Shown, CutsAfterFortyCharactersNotBytes) {
  EXPECT_EQ(shown(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
  EXPECT_EQ(shown(std::string(41, 'x')), "\"" + std::string(40, 'x') + "…\"");
  std::string umlauts;
  for (int i = 0; i < 40; ++i) umlauts += "ä";
  EXPECT_EQ(shown(umlauts), "\"" + umlauts + "\"");
  EXPECT_EQ(shown(umlauts + "äz"), "\"" + umlauts + "…\"");
}

TEST(Shown, EscapesWhatWouldDisturbATerminal) {
  EXPECT_EQ(shown("a\nb\x1b[0m"), "\"a\\x0ab\\x1b[0m\"");
  EXPECT_EQ(shown("say \"hi\" \\"), "\"say \\\"hi\\\" \\\\\"");
  EXPECT_EQ(shown(std::string_view("5\0z", 3)), "\"5\\x00z\"");
}

TEST(ClosestName, ForgivesTyposAndCase) {
  EXPECT_EQ(closest_name("rihgt", std::vector<std::string>{"left", "right"}), "right");
  EXPECT_EQ(closest_name("montor", kActions), "monitor");
  EXPECT_EQ(closest_name("MONITOR", kActions), "monitor");
  EXPECT_EQ(closest_name("monitor ", kActions), "monitor");
  EXPECT_EQ(closest_name("declare_healthy", kActions), "declare-healthy");
}

TEST(ClosestName, PrefersTheNearer) {
  EXPECT_EQ(closest_name("declare-diseasd", kActions), "declare-diseased");
}

TEST(ClosestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(closest_name("biopsy", kActions), "");
  EXPECT_EQ(closest_name("", kActions), "");
  EXPECT_EQ(closest_name(std::string(100000, 'm'), kActions), "");
  const std::vector<std::string> letters = {"a", "b"};
  EXPECT_EQ(closest_name("z", letters), "");
}

TEST(Suggestion, NamesTheNearestOrListsAll) {
  EXPECT_EQ(suggestion("montor", kActions, "the actions are"), "; did you mean \"monitor\"?");
  EXPECT_EQ(suggestion("biopsy", kActions, "the actions are"),
            "; the actions are \"monitor\", \"declare-healthy\", \"declare-diseased\"");
  const std::vector<std::string> many(9, "outcome");
  EXPECT_EQ(suggestion("zzz", many, "one of").substr(75), "\"outcome\", \"outcome\", …");
}

}  // namespace
}  // namespace interpole::base
