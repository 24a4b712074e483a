#include "interpole/data/tables/duckdb_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace interpole::data {
namespace {

using testing::HasSubstr;
using testing::Not;

// Messages that a small file cannot provoke; the others are tested through DuckdbTable.
TEST(DuckdbError, OutOfMemoryIsTheMachinesFault) {
  const Error error =
      translate_duckdb_error("Out of Memory Error: failed to allocate data of size 32.0 MiB\nhints", "v.csv");
  EXPECT_EQ(error.kind(), ErrorKind::kRuntime);
  EXPECT_STREQ(error.what(),
               "v.csv: not enough memory to read the table: failed to allocate data of size 32.0 MiB");
}

TEST(DuckdbError, UnknownMessagesKeepTheirFirstSentence) {
  const Error error =
      translate_duckdb_error("IO Error: Could not read from file: broken disk\n\nLINE 1: SELECT", "v.csv");
  EXPECT_EQ(error.kind(), ErrorKind::kInput);
  EXPECT_STREQ(error.what(), "v.csv: Could not read from file: broken disk");
}

TEST(DuckdbError, LongLinesAreNamedWithoutHints) {
  const Error error = translate_duckdb_error(
      "Invalid Input Error: CSV Error on Line: 7\nMaximum line size of 2000000 bytes exceeded.\nPossible "
      "fixes: x",
      "v.csv");
  EXPECT_THAT(error.what(), HasSubstr("v.csv: line 7: the line is longer than 2 MB"));
  EXPECT_THAT(error.what(), Not(HasSubstr("Possible")));
}

TEST(DuckdbError, CellsInMessagesCannotHarmTheTerminal) {
  const Error red =
      translate_duckdb_error("Conversion Error: Could not convert string '\x1b[31m' to DOUBLE", "v.csv");
  EXPECT_THAT(red.what(), HasSubstr("string '\\x1b[31m' to DOUBLE; correct the cell"));
  const Error endless = translate_duckdb_error(
      "Conversion Error: Could not convert string '" + std::string(1'000'000, 'x') + "' to DOUBLE", "v.csv");
  EXPECT_LT(std::string_view(endless.what()).size(), 400U);
}

TEST(DuckdbError, ZeroBytesAreNamed) {
  const Error error = translate_duckdb_error(
      "Invalid Input Error: CSV Error on Line: 2\nExpected Number of Columns: 1 Found: 2\n  quote = (empty) "
      "(Set "
      "By User)",
      "v.csv");
  EXPECT_THAT(error.what(), HasSubstr("v.csv: line 2: a zero byte"));
}

}  // namespace
}  // namespace interpole::data
