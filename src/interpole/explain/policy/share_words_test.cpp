#include "interpole/explain/policy/share_words.hpp"

#include <gmock/gmock.h>

namespace interpole::explain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

learn::Shares habit_and_belief() {
  return {{{"belief", 0.1}, {"distorted picture", -0.004}, {"habit", 0.104}}, 0.2, 0.8, 12};
}

TEST(ShareWords, NameThePartsTheLargestFirst) {
  const auto rows = share_rows(habit_and_belief());
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0].words, "habit");
  EXPECT_DOUBLE_EQ(rows[0].share, 0.52);
  EXPECT_EQ(rows[2].words, "distorted picture");
}

TEST(ShareWords, SayWhatRemainsAndThatOrdersAreAveraged) {
  const auto sentences = share_sentences(habit_and_belief());
  ASSERT_THAT(sentences, SizeIs(4));
  EXPECT_THAT(sentences[0], HasSubstr("removes 25% of the uncertainty"));
  EXPECT_THAT(sentences[0], HasSubstr("0.200 of 0.800 nats); 75% remains unforeseeable"));
  EXPECT_EQ(sentences[1], "What is foreseen is made of: habit 52%, belief 50%, distorted picture –2%.");
  EXPECT_THAT(sentences[2], HasSubstr("average over all orders"));
  EXPECT_THAT(sentences[3], HasSubstr("below zero adds nothing but noise"));
}

TEST(ShareWords, SpeakOfNegativeSharesOnlyIfThereAreSome) {
  learn::Shares shares = habit_and_belief();
  shares.parts[1].nats = -0.0001;  // shown as 0%
  EXPECT_THAT(share_sentences(shares), SizeIs(3));
}

TEST(ShareWords, PutNoNumberOnSharesOfNothing) {
  for (const double gained : {-0.01, 0.0, 0.0015}) {
    const learn::Shares shares{{{"belief", gained + 0.3}, {"habit", -0.3}}, gained, 0.8, 12};
    EXPECT_THAT(share_rows(shares), SizeIs(0));
    EXPECT_THAT(share_sentences(shares), ElementsAre(HasSubstr("nothing to share out")));
    EXPECT_THAT(share_sentences(shares)[0], Not(HasSubstr("%")));
  }
  const learn::Shares certain{{{"belief", 0.0}}, 0.0, 0.0, 6};  // one action only
  EXPECT_TRUE(nothing_to_share(certain));
  EXPECT_EQ(foreseen_part(certain), 0.0);
}

TEST(ShareWords, CallIngredientsWhatTheyAre) {
  EXPECT_EQ(ingredient_words("kinds"), "kinds of decision-makers");
  EXPECT_EQ(ingredient_words("other"), "lapses and missing results");
  EXPECT_EQ(ingredient_words("habit"), "habit");
}

}  // namespace
}  // namespace interpole::explain
