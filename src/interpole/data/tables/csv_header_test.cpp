#include "interpole/data/tables/csv_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of_header(std::string_view line) {
  return base::complaint_of([&] { parse_csv_header(line, '\0', "v.csv"); });
}

TEST(CsvHeader, FindsEachDelimiter) {
  for (const char delimiter : std::string(",;\t|")) {
    const std::string line = std::string("patient") + delimiter + "step" + delimiter + "action";
    const CsvHeader header = parse_csv_header(line, '\0', "v.csv");
    EXPECT_EQ(header.delimiter, delimiter);
    EXPECT_THAT(header.columns, ElementsAre("patient", "step", "action"));
  }
}

TEST(CsvHeader, IgnoresDelimitersInsideQuotes) {
  const CsvHeader header = parse_csv_header(R"("a,b,c,d";"say ""hi""";e)", '\0', "v.csv");
  EXPECT_EQ(header.delimiter, ';');
  EXPECT_THAT(header.columns, ElementsAre("a,b,c,d", "say \"hi\"", "e"));
}

TEST(CsvHeader, TakesOneColumnAsOne) {
  EXPECT_THAT(parse_csv_header("patient", '\0', "v").columns, ElementsAre("patient"));
}

TEST(CsvHeader, KeepsAGivenDelimiter) {
  EXPECT_THAT(parse_csv_header("a,b\tc", '\t', "v.tsv").columns, ElementsAre("a,b", "c"));
}

TEST(CsvHeader, RefusesWhatCannotNameColumns) {
  EXPECT_THAT(refusal_of_header("  "), HasSubstr("v.csv: line 1 is blank"));
  EXPECT_THAT(refusal_of_header("a,,b"), HasSubstr("line 1: column 2 has no name"));
  EXPECT_THAT(refusal_of_header("a,b,"), HasSubstr("line 1: column 3 has no name"));
  EXPECT_THAT(refusal_of_header("a,b,a"), HasSubstr("two columns are called \"a\"; rename one"));
  EXPECT_THAT(refusal_of_header("a,\"b"), HasSubstr("the quote before \"b\" is not closed"));
  EXPECT_THAT(refusal_of_header("\"a\"x,b"), HasSubstr("is not closed in front of a delimiter"));
}

}  // namespace
}  // namespace interpole::data
