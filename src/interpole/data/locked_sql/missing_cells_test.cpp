#include "interpole/data/locked_sql/missing_cells.hpp"

#include <gtest/gtest.h>

#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {
namespace {

// What becomes of a cell, given as SQL.
std::string value_of(const std::string& sql) {
  const DuckdbConnection connection({});
  DuckdbQuery query(connection, "SELECT coalesce(CAST(" + sql + " AS VARCHAR), 'none')", "cell");
  std::vector<Cell> cells;
  copy_cells(query.fetch(), 0, cells);
  return std::string(cells[0].text);
}

std::string cleaned(const std::string& text, const std::vector<std::string>& codes) {
  return value_of(MissingCells(codes).cleaned(sql_text(text), DUCKDB_TYPE_VARCHAR));
}

TEST(MissingCells, EmptyAndBlankCellsHaveNoValue) {
  for (const char* cell : {"", " ", "    "}) {
    EXPECT_EQ(cleaned(cell, {}), "none");
    EXPECT_EQ(cleaned(cell, {"NA"}), "none");
  }
}

TEST(MissingCells, BlanksAroundACellOrACodeAreNotPartOfIt) {
  for (const char* cell : {"NA", " NA", "NA ", "  NA  "}) {
    for (const char* code : {"NA", " NA", "NA  "}) EXPECT_EQ(cleaned(cell, {code}), "none") << cell << code;
  }
  EXPECT_EQ(cleaned("  a b ", {"NA"}), "a b");
  EXPECT_EQ(cleaned("a ", {}), "a");
  EXPECT_EQ(cleaned(" a", {}), "a");
}

TEST(MissingCells, OtherWhiteSpaceStays) {
  EXPECT_EQ(cleaned("\tNA", {"NA"}), "\tNA");
  EXPECT_EQ(cleaned("\tNA ", {"NA"}), "\tNA");
}

TEST(MissingCells, ComparesTextAsItStands) {
  const std::vector<std::string> codes = {"NA", "-4", "n/a", "it's"};
  for (const char* cell : {"na", "-4.0", "NAN", "N", "!", "é"}) EXPECT_EQ(cleaned(cell, codes), cell);
  EXPECT_EQ(cleaned("it's", codes), "none");
}

TEST(MissingCells, ComparesNumbersByValue) {
  const MissingCells missing({"-4", "NA", "inf"});
  EXPECT_EQ(value_of(missing.cleaned("-4.0::DOUBLE", DUCKDB_TYPE_DOUBLE)), "none");
  EXPECT_EQ(value_of(missing.cleaned("-4::TINYINT", DUCKDB_TYPE_TINYINT)), "none");
  EXPECT_EQ(value_of(missing.cleaned("4::TINYINT", DUCKDB_TYPE_TINYINT)), "4");
  EXPECT_EQ(missing.cleaned("day", DUCKDB_TYPE_DATE), "day");
}

TEST(MissingCells, ManyCodesCostNoMoreThanTheirNumber) {
  std::vector<std::string> codes(40);
  for (int i = 0; i < 40; ++i) codes[i] = "-" + std::to_string(i);
  EXPECT_EQ(cleaned("-39", codes), "none");
  EXPECT_EQ(cleaned(" -39", codes), "none");
  EXPECT_EQ(cleaned("-40", codes), "-40");
}

}  // namespace
}  // namespace interpole::data
