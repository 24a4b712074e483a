#include "interpole/data/sources/memory_table.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/data/tables/duckdb_table.hpp"

namespace interpole::data {
namespace {

using base::complaint_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Every kind of column, with a gap in each but the whole numbers.
struct Sample {
  std::vector<std::int64_t> whole = {7, -1, 3};
  std::vector<double> numbers = {2.0, kNaN, 100000.5};
  std::vector<std::int32_t> codes = {1, 0, -1};
  std::vector<std::string> categories = {"a,b", "a text longer than twelve bytes"};
  std::vector<std::int32_t> ends = {0, 1, 1, 3};
  std::uint8_t valid = 0b101;

  MemoryTable table() const {
    MemoryTable table;
    table.rows = 3;
    table.columns.resize(4);
    table.columns[0].name = "whole";
    table.columns[0].whole_numbers = whole;
    table.columns[1].name = "numbers";
    table.columns[1].numbers = numbers;
    table.columns[2].name = "codes";
    table.columns[2].codes = codes;
    table.columns[2].categories = categories;
    table.columns[3].name = "texts";
    table.columns[3].texts = {"xyz", ends, {}};
    table.columns[3].valid = &valid;
    return table;
  }
};

TEST(MemoryTable, StandsForTheCsvFileItWouldBe) {
  const Sample sample;
  const HeldTable held("visits.csv", sample.table());
  EXPECT_EQ(base::sha256_of_file(held.path()), base::sha256("whole,numbers,codes,texts\n"
                                                            "7,2,a text longer than twelve bytes,x\n"
                                                            "-1,,\"a,b\",\n"
                                                            "3,100000.5,,yz\n"));
}

TEST(MemoryTable, IsReadThroughDuckdb) {
  const Sample sample;
  const HeldTable held("visits.csv", sample.table());
  DuckdbTable table(held.path());
  EXPECT_THAT(table.columns(), ElementsAre("whole", "numbers", "codes", "texts"));
  table.select(std::vector<int>{2, 0, 1});
  ASSERT_TRUE(table.read());
  ASSERT_EQ(table.row_count(), 3U);
  EXPECT_EQ(table.cells(0)[0].text, "a text longer than twelve bytes");
  EXPECT_TRUE(table.cells(0)[2].is_null);
  EXPECT_EQ(table.cells(1)[1].text, "-1");
  EXPECT_EQ(table.cells(2)[2].text, "100000.5");
  EXPECT_TRUE(table.cells(2)[1].is_null);
  EXPECT_EQ(table.row_number(2), 2);
  EXPECT_FALSE(table.read());
}

TEST(MemoryTable, ManyRowsKeepTheirOrder) {
  std::vector<std::int64_t> numbers(100'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  MemoryTable table;
  table.rows = static_cast<std::int64_t>(numbers.size());
  table.columns.resize(1);
  table.columns[0].name = "n";
  table.columns[0].whole_numbers = numbers;
  const HeldTable held("n", table);
  DuckdbTable read(held.path());
  read.select(std::vector<int>{0});
  std::int64_t next = 0;
  while (read.read()) {
    for (const Cell& cell : read.cells(0)) ASSERT_EQ(cell.text, std::to_string(next++));
  }
  EXPECT_EQ(next, table.rows);
}

TEST(MemoryTable, RefusesWhatIsNoTable) {
  const Sample sample;
  MemoryTable none;
  EXPECT_THAT(complaint_of([&] { HeldTable("t", none); }), HasSubstr("t: there are no columns"));
  MemoryTable twice = sample.table();
  twice.columns[1].name = "whole";
  EXPECT_THAT(complaint_of([&] { HeldTable("t", twice); }), HasSubstr("two columns are called \"whole\""));
  MemoryTable shorter = sample.table();
  shorter.columns[0].whole_numbers = shorter.columns[0].whole_numbers.first(2);
  EXPECT_THAT(complaint_of([&] { HeldTable("t", shorter); }), HasSubstr("column \"whole\" has not 3 rows"));
  MemoryTable beyond = sample.table();
  beyond.columns[2].categories = beyond.columns[2].categories.first(1);
  EXPECT_THAT(complaint_of([&] { HeldTable("t", beyond); }), HasSubstr("a code beyond its 1 categories"));
}

}  // namespace
}  // namespace interpole::data
