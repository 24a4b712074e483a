#include <gtest/gtest.h>

#include "interpole/base/files/csv.hpp"

namespace interpole::base {
namespace {

TEST(CsvCell, IsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell("=1+1"), "=1+1");
}

TEST(CsvCell, IsNoFormulaWherePeopleOpenIt) {
  EXPECT_EQ(shown_csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(shown_csv_cell("=cmd|'/c calc'!A0"), "'=cmd|'/c calc'!A0");
  EXPECT_EQ(shown_csv_cell("=HYPERLINK(\"http://x\",1)"), "\"'=HYPERLINK(\"\"http://x\"\",1)\"");
  EXPECT_EQ(shown_csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(shown_csv_cell("+1+1"), "'+1+1");
  EXPECT_EQ(shown_csv_cell("-1+1"), "'-1+1");
  EXPECT_EQ(shown_csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(shown_csv_cell("\r=1"), "\"'\r=1\"");
}

TEST(CsvCell, LeavesNumbersAndSignsAlone) {
  for (const char* text : {"", "-5", "+49", "-1.5e-3", "-", "+", "a=b", "p-1", "'=1"}) {
    EXPECT_EQ(shown_csv_cell(text), text);
  }
}

}  // namespace
}  // namespace interpole::base
