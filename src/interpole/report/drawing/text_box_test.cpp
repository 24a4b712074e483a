#include "interpole/report/drawing/text_box.hpp"

#include <gmock/gmock.h>

#include "interpole/report/drawing/helvetica.hpp"

namespace interpole::report {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::SizeIs;

TEST(Helvetica, IsAsWideAsAdobeSays) {
  EXPECT_NEAR(helvetica_width("A 1%", false), 0.667 + 0.278 + 0.556 + 0.889, 1e-12);
  EXPECT_NEAR(helvetica_width("A 1%", true), 0.722 + 0.278 + 0.556 + 0.889, 1e-12);
  EXPECT_NEAR(helvetica_width("–…é", false), 0.556 + 1.0 + 0.556, 1e-12);
  EXPECT_NEAR(helvetica_width("日", false), 1.0, 1e-12);
}

TEST(Helvetica, SaysWhichLettersWinAnsiLacks) {
  const WinAnsiText text = win_ansi("é€–→日");
  EXPECT_EQ(text.bytes, "\xE9\x80\x96??");
  EXPECT_EQ(text.lacking, U"→日");
  EXPECT_EQ(win_ansi("plain").lacking, U"");
}

TEST(TextBox, TurnedTextTakesTurnedRoom) {
  const Label level{{100, 100}, "belief", 10, Anchor::kMiddle};
  Label upright = level;
  upright.turn = -90;
  const TextBox box = box_of(upright);
  EXPECT_NEAR(box[1].y - box[0].y, -label_width("belief", 10), 1e-9);  // reads upwards
  EXPECT_NEAR(box[0].x, 100 - 7.6, 1e-9);
  EXPECT_TRUE(overlap(box_of(level), box));
}

TEST(TextBox, SlantedBoxesMayInterlockWithoutOverlap) {
  // Their level bounding boxes overlap; they do not.
  const Label first{{100, 100}, "a slanted line of text", 10, Anchor::kStart, false, 45};
  Label second = first;
  second.at.x += 20;
  EXPECT_FALSE(overlap(box_of(first), box_of(second)));
  second.at.x -= 14;
  EXPECT_TRUE(overlap(box_of(first), box_of(second)));
}

TEST(TextBox, TouchingIsNotOverlapping) {
  EXPECT_FALSE(overlap(box_around({0, 0}, 10, 10), box_around({10, 0}, 10, 10)));
  EXPECT_TRUE(overlap(box_around({0, 0}, 10, 10), box_around({9.9, 0}, 10, 10)));
}

TEST(BrokenLines, BreaksWhereWordsEnd) {
  const double width = label_width("declare-", 12) + 1;
  EXPECT_THAT(broken_lines("declare-healthy", width, 12, 3), ElementsAre("declare-", "healthy"));
  EXPECT_THAT(broken_lines("no room", width, 12, 3), ElementsAre("no room"));
  EXPECT_THAT(broken_lines("", width, 12, 3), ElementsAre());
}

TEST(BrokenLines, NeverExceedsTheWidthNorCutsALetter) {
  const std::string text = "Überweisung für ausführliche neuropsychologische Tests, 日本語日本語日本語";
  for (const double width : {30.0, 47.0, 80.0, 200.0}) {
    const auto lines = broken_lines(text, width, 11, 3);
    EXPECT_LE(lines.size(), 3u);
    for (const std::string& line : lines) {
      EXPECT_LE(label_width(line, 11), width) << line;
      EXPECT_EQ(line.find("\xEF\xBF\xBD"), std::string::npos);
      EXPECT_TRUE(win_ansi(line).lacking.find(U'\uFFFD') == std::u32string::npos) << line;
    }
  }
}

TEST(BrokenLines, SaysThatSomethingIsLeftOut) {
  const auto lines = broken_lines("one two three four five six seven", 50, 12, 2);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[1], EndsWith("…"));
}

}  // namespace
}  // namespace interpole::report
