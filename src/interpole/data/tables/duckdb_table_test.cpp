#include "interpole/data/tables/duckdb_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/source_folder_testing.hpp"

namespace interpole::data {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class DuckdbTableTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& bytes) {
    std::string path = folder_.file(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  static std::string fixture(const std::string& name) {
    return (base::source_folder() / "src/interpole/data/testdata" / name).string();
  }

  // All rows, cells joined by '|', null as "-", each with its number in front.
  static std::vector<std::string> rows(DuckdbTable& table) {
    std::vector<int> all(table.columns().size());
    std::iota(all.begin(), all.end(), 0);
    table.select(all);
    std::vector<std::string> result;
    while (table.read()) {
      for (std::size_t i = 0; i < table.row_count(); ++i) {
        std::string line = std::to_string(table.row_number(i)) + ":";
        for (std::size_t c = 0; c < all.size(); ++c) {
          const Cell cell = table.cells(c)[i];
          line.append(c == 0 ? "" : "|").append(cell.is_null ? "-" : cell.text);
        }
        result.push_back(line);
      }
    }
    return result;
  }

  static std::vector<std::string> rows(const std::string& path) {
    DuckdbTable table(path);
    return rows(table);
  }

  static std::string refusal(const std::string& path) {
    std::string complaint = base::complaint_of([&] { rows(path); });
    if (complaint != "accepted") {
      EXPECT_THAT(complaint, Not(HasSubstr("\n")));
      EXPECT_THAT(complaint, HasSubstr(path));
    }
    return complaint;
  }

  const base::TemporaryFolder folder_;
};

TEST_F(DuckdbTableTest, ReadsCellsQuotesAndEmptyCells) {
  DuckdbTable table(
      file("a.csv", "a,b c,\"d\"\"e\"\n1,2,3\n4,,\"x \"\"q\"\", y\"\n\"two\nlines\",\"\",ünï\n"));
  EXPECT_THAT(table.columns(), ElementsAre("a", "b c", "d\"e"));
  EXPECT_THAT(rows(table), ElementsAre("2:1|2|3", "3:4|-|x \"q\", y", "4:two\nlines|-|ünï"));
}

TEST_F(DuckdbTableTest, KeepsTextsThatOtherReadersTakeForMissing) {
  EXPECT_THAT(rows(file("a.csv", "a,b\nNA,NULL\nnull,-\n 1 ,1.0\n")),
              ElementsAre("2:NA|NULL", "3:null|-", "4: 1 |1.0"));
}

TEST_F(DuckdbTableTest, ReadsOtherDelimitersLineEndingsAndByteOrderMarks) {
  EXPECT_THAT(rows(file("a.csv", "a;b\r\n1,5;2\r\n")), ElementsAre("2:1,5|2"));
  EXPECT_THAT(rows(file("a.txt", "a|b\n1|2")), ElementsAre("2:1|2"));
  EXPECT_THAT(rows(file("A.TSV", "a,b\tc\n1\t2\n")), ElementsAre("2:1|2"));
  EXPECT_THAT(rows(file("b.csv",
                        "\xEF\xBB\xBF"
                        "a,b\n1,2\n")),
              ElementsAre("2:1|2"));
  EXPECT_THAT(rows(file("one.csv", "a\n1\n2\n")), ElementsAre("2:1", "3:2"));
}

TEST_F(DuckdbTableTest, SelectsColumnsInTheOrderAsked) {
  DuckdbTable table(file("a.csv", "a,b,c\n1,2,3\n"));
  table.select(std::vector<int>{2, 0});
  ASSERT_TRUE(table.read());
  EXPECT_EQ(table.cells(0)[0].text, "3");
  EXPECT_EQ(table.cells(1)[0].text, "1");
  EXPECT_FALSE(table.read());
  EXPECT_EQ(table.row_count(), 0U);
}

TEST_F(DuckdbTableTest, KeepsTheOrderAndNumbersOfManyRows) {
  std::string text = "n,filler\n";
  for (int i = 2; i <= 300'001; ++i)
    text += std::to_string(i) + ",some text that makes the file span several buffers\n";
  DuckdbTable table(file("long.csv", text));
  table.select(std::vector<int>{0});
  std::int64_t expected = 2;
  while (table.read()) {
    for (std::size_t i = 0; i < table.row_count(); ++i, ++expected) {
      ASSERT_EQ(table.cells(0)[i].text, std::to_string(expected));
      ASSERT_EQ(table.row_number(i), expected);
    }
  }
  EXPECT_EQ(expected, 300'002);
}

TEST_F(DuckdbTableTest, AFailureInTheMiddleIsNotTheEnd) {
  std::string text = "n,filler\n";
  for (int i = 2; i <= 300'000; ++i)
    text += std::to_string(i) + ",some text that makes the file span several buffers\n";
  EXPECT_THAT(refusal(file("long.csv", text + "300001\n300002,x\n")),
              HasSubstr("long.csv: line 300001: 1 cell where"));
}

TEST_F(DuckdbTableTest, TakesNamesLiterally) {
  const std::string text = "a\nright\n";
  file("sXr.csv", "a\nwrong\n");
  for (const char* name : {"s*r.csv", "s?r.csv", "s[X]r.csv", "it's.csv", "a\"b.csv", "a\\b.csv", "{x,y}.csv",
                           "year=2020.csv", "-- ; DROP.csv", "100%.csv", "ü.csv"}) {
    EXPECT_THAT(rows(file(name, text)), ElementsAre("2:right")) << name;
  }
  EXPECT_THAT(refusal(folder_.file("s*.csv")), HasSubstr("cannot be read: No such file or directory"));
  EXPECT_THAT(refusal(file("b\\*.csv", text)),
              HasSubstr("a backslash and one of * ? [ cannot be read; rename the file"));
  fs::create_directories(folder_.file("k=v"));
  EXPECT_THAT(rows(file("k=v/a.csv", text)), ElementsAre("2:right"));
}

TEST_F(DuckdbTableTest, ReadsRelativeNamesAndNothingFromTheWeb) {
  const std::string path = file("a.csv", "a\n1\n");
  EXPECT_THAT(rows(fs::relative(path).string()), ElementsAre("2:1"));
  EXPECT_THAT(refusal("https://example.org/a.csv"), HasSubstr("cannot be read: No such file or directory"));
}

TEST_F(DuckdbTableTest, ReadsGzip) {
  EXPECT_THAT(rows(fixture("visits.csv.gz")),
              ElementsAre("2:p1|1|monitor|positive", "3:p1|2|declare-diseased|-", "4:p2|1|monitor|-",
                          "5:p2|3|monitor|negative"));
}

TEST_F(DuckdbTableTest, ReadsParquetAsTextAndCountsRecordsFromOne) {
  DuckdbTable table(fixture("visits.parquet"));
  EXPECT_THAT(table.columns(), ElementsAre("observation", "action", "step", "patient", "age"));
  EXPECT_THAT(rows(table), ElementsAre("1:positive|monitor|1|p1|71.5", "2:-|declare-diseased|2|p1|71.5",
                                       "3:-|monitor|1|p2|71.5", "4:negative|monitor|3|p2|71.5"));
}

TEST_F(DuckdbTableTest, RefusesFilesItCannotRead) {
  EXPECT_THAT(refusal(folder_.file("none.csv")),
              HasSubstr("none.csv: cannot be read: No such file or directory"));
  fs::create_directories(folder_.file("d.csv"));
  EXPECT_THAT(refusal(folder_.file("d.csv")), HasSubstr("d.csv: is a folder"));
  EXPECT_THAT(
      refusal(file("a.xlsx", "x")),
      HasSubstr("must end in .csv, .tsv, .txt, .json, .jsonl or .ndjson (or these with .gz), .parquet, "
                ".duckdb or .db"));
  EXPECT_THAT(refusal(file("a.gz", "x")), HasSubstr("must end in .csv"));
}

TEST_F(DuckdbTableTest, RefusesEmptyFiles) {
  EXPECT_THAT(refusal(file("a.csv", "")),
              HasSubstr("a.csv: the file is empty; its first line must name the columns"));
  EXPECT_THAT(refusal(file("b.csv", "\n\na,b\n")), HasSubstr("b.csv: line 1 is blank"));
  EXPECT_THAT(rows(file("c.csv", "a,b\n")), ElementsAre());
}

TEST_F(DuckdbTableTest, RefusesRaggedRows) {
  EXPECT_THAT(
      refusal(file("a.csv", "a,b,c\n1,2,3\n4,5\n")),
      HasSubstr(
          "a.csv: line 3: 2 cells where the header names 3 columns; give every row one cell per column"));
  EXPECT_THAT(refusal(file("a.csv", "a,b,c\n1,2,3\n4,5,6,7\n")),
              HasSubstr("line 3: 4 cells where the header names 3"));
}

TEST_F(DuckdbTableTest, RefusesBrokenText) {
  EXPECT_THAT(refusal(file("a.csv", "a,b\n1,2\n3,\xff\xfe\n")), HasSubstr("a.csv: line 3: not UTF-8 text"));
  EXPECT_THAT(refusal(file("a.csv", "a,b\n1,2\n3,\"4\n")),
              HasSubstr("a.csv: line 3: a quoted cell does not end"));
  EXPECT_THAT(refusal(file("a.csv", "a,b\n1,2\n3,\"4\"x\n")),
              HasSubstr("line 3: a quoted cell does not end"));
  EXPECT_THAT(refusal(file("a.csv", "a,b\r\n1,2\n3,4\r\n")), HasSubstr("line endings of two kinds"));
  EXPECT_THAT(refusal(file("a.csv", "a,b\n1," + std::string(3'000'000, 'x') + "\n")),
              HasSubstr("longer than 2 MB"));
}

TEST_F(DuckdbTableTest, RefusesFilesThatAreNotWhatTheirNameSays) {
  EXPECT_THAT(refusal(file("a.csv.gz", "a,b\n1,2\n")), HasSubstr("a.csv.gz: it is not a sound gzip file"));
  EXPECT_THAT(refusal(file("a.parquet", "a,b\n1,2\n")), HasSubstr("a.parquet: not a readable Parquet file"));
  EXPECT_THAT(refusal(file("b.parquet", std::string(5000, 'x'))),
              HasSubstr("b.parquet: not a readable Parquet file"));
  std::ifstream whole(fixture("visits.parquet"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
  EXPECT_THAT(refusal(file("cut.parquet", bytes.substr(0, bytes.size() / 2))),
              HasSubstr("not a readable Parquet file"));
}

}  // namespace
}  // namespace interpole::data
