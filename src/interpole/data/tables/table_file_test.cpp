#include "interpole/data/tables/table_file.hpp"

#include <gtest/gtest.h>

#include "interpole/error.hpp"

namespace interpole::data {
namespace {

TEST(TableFile, KindIsToldByTheEndOfTheName) {
  EXPECT_EQ(table_kind("a.csv").format, TableFormat::kCsv);
  EXPECT_EQ(table_kind("A.TSV").delimiter, '\t');
  EXPECT_EQ(table_kind("a.b/c.json").format, TableFormat::kJson);
  EXPECT_EQ(table_kind("a.jsonl").format, TableFormat::kJsonLines);
  EXPECT_EQ(table_kind("a.NDJSON").format, TableFormat::kJsonLines);
  EXPECT_EQ(table_kind("a.parquet").format, TableFormat::kParquet);
  EXPECT_EQ(table_kind("a.duckdb").format, TableFormat::kDatabase);
  EXPECT_EQ(table_kind("a.db").format, TableFormat::kDatabase);
}

TEST(TableFile, OnlyTextIsReadCompressed) {
  for (const char* name : {"a.csv.gz", "a.json.gz", "a.jsonl.gz", "a.NDJSON.GZ"})
    EXPECT_TRUE(table_kind(name).gzipped) << name;
  for (const char* name : {"a.parquet.gz", "a.duckdb.gz", "a.gz", "a", "a.xlsx"})
    EXPECT_THROW(table_kind(name), Error) << name;
}

TEST(TableFile, ATableOfADatabaseFollowsTheFile) {
  EXPECT_EQ(table_location("d/a.duckdb#visits").file, "d/a.duckdb");
  EXPECT_EQ(table_location("d/a.duckdb#visits").table, "visits");
  EXPECT_EQ(table_location("a.DB#s.visits #1").table, "s.visits #1");
  EXPECT_EQ(table_location("a#1.duckdb#t").file, "a#1.duckdb");
  for (const char* path : {"a.duckdb", "a#1.csv", "a.csv#t", "a#1.duckdb"}) {
    EXPECT_EQ(table_location(path).file, path);
    EXPECT_EQ(table_location(path).table, "");
  }
}

}  // namespace
}  // namespace interpole::data
