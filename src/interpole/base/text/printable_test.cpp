#include "interpole/base/text/printable.hpp"

#include <gtest/gtest.h>

#include "interpole/base/messages.hpp"

namespace interpole::base {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const std::string text :
       {"", "two\nlines\tand a tab", "Müller 𝛼 ﷺ שלום 🙂", "quote \" and \\ slash", "\u00a0"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, WritesWhatSteersATerminalAsItsNumber) {
  EXPECT_EQ(printable("\x1b[2Jgone\r\x07\x7f"), "\\u001b[2Jgone\\u000d\\u0007\\u007f");
  EXPECT_EQ(printable("\u009b2J"), "\\u009b2J");  // the same as ESC [ in one character
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, WritesWhatTurnsTextAroundAsItsNumber) {
  EXPECT_EQ(printable("\u202egnp.exe\u202c"), "\\u202egnp.exe\\u202c");
  EXPECT_EQ(printable("\u2066x\u2069\u200e\u200f\u061c"), "\\u2066x\\u2069\\u200e\\u200f\\u061c");
}

TEST(Printable, WritesBytesThatAreNoTextAsTheirNumbers) {
  EXPECT_EQ(printable("\xff"), "\\u00ff");
  EXPECT_EQ(printable("\x9b\x32"), "\\u009b2");                   // C1 to terminals of 8 bits
  EXPECT_EQ(printable("\xc0\x80"), "\\u00c0\\u0080");             // too long for what it is
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\u00ed\\u00a0\\u0080");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\u00f4\\u0090\\u0080\\u0080");
  EXPECT_EQ(printable("a\xe2\x82"), "a\\u00e2\\u0082");  // cut
}

TEST(Printable, NamesInMessagesAreToo) {
  EXPECT_EQ(shown("\x1b[2J"), "\"\\x1b[2J\"");
  EXPECT_EQ(shown("a\u202eb\u009b\xff"), "\"a\\u202eb\\u009b\\xff\"");
  EXPECT_EQ(shown("Müller"), "\"Müller\"");
}

}  // namespace
}  // namespace interpole::base
