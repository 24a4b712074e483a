// The fast way into a table of the user's own and the slow one must lead to the same place. A table whose
// lines end in "\r\n" takes the slow one.

#include <gmock/gmock.h>

#include "interpole/data/locked_sql/plain_csv_table.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHeader = "id,visit,act,score,size\n";

class QuickSource : public MappedTest {
 protected:
  static std::string other_line_ends(const std::string& table) {
    std::string text;
    for (const char c : table) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return text;
  }

  // The sums of the columns of numbers in a file, as the table function gives them; or its complaint.
  std::string read(const std::string& text, std::size_t columns) {
    const std::string path = file("plain.csv", text);
    DuckdbConnection connection{{}};
    const PlainCsvTable table(connection, path, ',', columns, {"NA"});
    try {
      DuckdbQuery query(connection,
                        "SELECT concat(count(*), ' ', count(c1), ' ', sum(c0::BIGINT), ' ', max(c1)) FROM " +
                            std::string(PlainCsvTable::kSql),
                        "plain.csv");
      std::vector<Cell> cells;
      copy_cells(query.fetch(), 0, cells);
      return std::string(cells[0].text);
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(QuickSource, ReadsAPlainFile) {
  EXPECT_EQ(read("a,b\n1,x\n2,\"y, and z\"\n3,\n4, NA \n", 2), "4 2 10 y, and z");
  EXPECT_EQ(read("a,b\n1,x\n2,y", 2), "2 2 3 y");  // no line's end at the end
  EXPECT_EQ(read("a,b\n", 2), "0 0  ");
}

TEST_F(QuickSource, ReadsLinesAcrossBlocksOnce) {
  std::string text = "a,b\n";
  std::int64_t sum = 0;
  constexpr int kRows = 60'000;
  for (int i = 1; i <= kRows; ++i) {
    text += joined(i, ",", std::string(i % 37, 'x'), "y\n");
    sum += i;
  }
  ASSERT_GT(text.size(), 5U << 18);
  EXPECT_EQ(read(text, 2), joined(kRows, " ", kRows, " ", sum, " y"));
}

TEST_F(QuickSource, FailsWhereAFileIsNotPlain) {
  std::string text = "a,b\n";
  for (int i = 1; i <= 60'000; ++i) text += joined(i, ",x\n");
  EXPECT_THAT(read(text + "1,\"x\ny\"\n", 2), HasSubstr("not plain"));
  EXPECT_THAT(read(text + "1\n", 2), HasSubstr("not plain"));
  EXPECT_TRUE(read(text + "1," + std::string(400'000, 'x') + "\n", 2).find("not plain") != std::string::npos);
  EXPECT_THAT(read("a,\xC3\xA4\n1,2\n", 2), HasSubstr("not plain"));
}

TEST_F(QuickSource, GivesTheRecordsOfTheSlowWay) {
  const std::string tables[] = {
      "7,m06,scan,3,small\n7,bl,wait,8,\n12,bl,wait,NA,\n",
      "7,bl,wait,3,\n007,bl,wait,8,\n007,m06,wait,1,\nx7,bl,wait,2,\n+7,bl,wait,9,\n",  // ids as text
      "x,bl,wait,3,\n,bl,wait,8,\nx,m06,wait,1,\n",                                     // a row without id
      "\"7\",\"bl\",\"wait\",\"3\",\"\"\n",
      "7, bl ,wait , 3 ,\n8,bl,wait, -4 ,\n9,bl,wait,  ,\n",  // blanks and codes for "no value"
      "7,bl,wait,3,\nJos\xC3\xA9,bl,wait,8,\n",
      "7,bl,wait,3,\n\"7 \"\"a\"\"\",bl,wait,8,\n",
      "7,sc,wait,3,\n7,bl,wait,3,\n7,m12,wait,9,\n",
  };
  for (const std::string& rows : tables) {
    MappingReport quick, slow;
    const auto found = records(ClinicStudy(), kHeader + rows, &quick);
    EXPECT_EQ(found, records(ClinicStudy(), other_line_ends(kHeader + rows), &slow)) << rows;
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(quick.attrition.rows_in, slow.attrition.rows_in);
    EXPECT_EQ(quick.attrition.rows_kept, slow.attrition.rows_kept);
  }
}

TEST_F(QuickSource, LeavesComplaintsToTheSlowWay) {
  const std::string tables[] = {
      "7,bl,wait,3,\n7,m06,stare,8,\n",  // an action that the study does not know
      "7,bl,wait,3,\n7,bl,wait,8,\n",    // a visit twice
      "7,bl,wait,3,\n7,m06,wait\n",      // a ragged line
      "7,bl,wait,x,\n",
  };
  for (const std::string& rows : tables) {
    EXPECT_EQ(refusal(ClinicStudy(), kHeader + rows),
              refusal(ClinicStudy(), other_line_ends(kHeader + rows)));
  }
  EXPECT_THAT(refusal(ClinicStudy(), kHeader + tables[0]), AllOf(HasSubstr("row 3"), HasSubstr("stare")));
}

// The quick way reads rows in any order, so it may not be taken by studies that look at it.
TEST_F(QuickSource, IsNotTakenWhereTheOrderOfRowsCounts) {
  ClinicStudy study;
  study.rest = "[[covariates]]\nname = \"row\"\nsql = \"row_number() over ()\"\n";
  std::vector<std::string> rows;
  const std::string path =
      file("visits.csv", std::string(kHeader) + "9,bl,wait,3,\n7,bl,wait,8,\n8,bl,wait,8,\n");
  for_each_mapped_record(study.parse(), data_file(path), [&](const RecordView& record) {
    rows.push_back(joined(record.patient, "@", record.covariates[0]));
    return true;
  });
  EXPECT_THAT(rows, ElementsAre("7@2", "8@3", "9@1"));
}

TEST_F(QuickSource, ReadsVisitsWithoutCovariatesWhereTheseAreNotAskedFor) {
  ClinicStudy study;
  study.rest = "[[covariates]]\nname = \"half\"\nsql = \"score::DOUBLE / 2\"\n";
  const std::string path = file("visits.csv", std::string(kHeader) + "7,m06,wait,3,\n7,bl,wait,8,\n");
  for (const RecordDetails details : {RecordDetails::kVisits, RecordDetails::kAll}) {
    std::vector<std::string> seen;
    for_each_mapped_record(
        study.parse(), data_file(path),
        [&](const RecordView& record) {
          seen = {record.visits.begin(), record.visits.end()};
          EXPECT_EQ(record.covariates.size(), details == RecordDetails::kAll ? 1U : 0U);
          return true;
        },
        nullptr, details);
    EXPECT_THAT(seen, ElementsAre("bl", "m06"));
  }
}

}  // namespace
}  // namespace interpole::data
