#include "interpole/data/joined_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

std::string file_with(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "joined_files_" + name;
  std::ofstream(path) << text;
  return path;
}

std::vector<std::string> column_of(const MemoryTable& table, std::size_t column) {
  std::vector<std::string> cells;
  CellBuffer buffer;
  for (std::int64_t row = 0; row < table.rows; ++row) {
    cells.emplace_back(cell_text(table.columns[column], static_cast<std::size_t>(row), buffer));
  }
  return cells;
}

TEST(JoinedFiles, FollowEachOtherUnderTheColumnsOfTheFirst) {
  const auto first = file_with("first.csv", "patient,result\n1,low\n1,\n");
  const auto second = file_with("second.csv", "result,patient\nhigh,2\nlow,3\n");
  const MemoryTable table = read_joined_files({first, second});
  ASSERT_EQ(table.rows, 4);
  EXPECT_EQ(table.columns[0].name, "patient");
  EXPECT_THAT(column_of(table, 0), testing::ElementsAre("1", "1", "2", "3"));
  EXPECT_THAT(column_of(table, 1), testing::ElementsAre("low", "", "high", "low"));
}

TEST(JoinedFiles, MayHaveNoRows) {
  const MemoryTable table = read_joined_files({file_with("empty.csv", "patient,result\n")});
  EXPECT_EQ(table.rows, 0);
  EXPECT_EQ(table.columns.size(), 2U);
}

TEST(JoinedFiles, KeepThousandsOfTextsApart) {
  std::string text = "patient,result\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i % 2500) + ",low\n";
  const MemoryTable table = read_joined_files({file_with("many.csv", text)});
  EXPECT_EQ(table.columns[0].categories.size(), 2500U);
  EXPECT_EQ(column_of(table, 0)[4999], "2499");
}

TEST(JoinedFiles, WithOtherColumnsAreRefusedByName) {
  const auto first = file_with("these.csv", "patient,result\n1,low\n");
  const auto other = file_with("those.csv", "patient,finding\n1,low\n");
  const auto more = file_with("more.csv", "patient,result,site\n1,low,A\n");
  for (const auto& path : {other, more}) {
    try {
      read_joined_files({first, path});
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(path + ": its columns are patient, "));
      EXPECT_THAT(error.what(), testing::HasSubstr("give files with the same columns"));
    }
  }
}

}  // namespace
}  // namespace interpole::data
