#include "interpole/environments/parted_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::environments {
namespace {

using ::testing::HasSubstr;

class PartedTableFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::string folder_ =
      ::testing::TempDir() + "parted_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path_ = folder_ + "/t.csv";
};

TEST_F(PartedTableFiles, EndsAFileBeforeItWouldHaveMoreRows) {
  PartedTable table(path_, "h\n", 3);
  table.write("a\na\n", 2);
  table.write("b\nb\n", 2);
  table.write("c\n", 1);
  table.write("d\nd\nd\nd\n", 4);  // a patient's rows stay together
  table.commit();
  EXPECT_EQ(table.files(), 3);
  EXPECT_EQ(content(folder_ + "/t-00001.csv"), "h\na\na\n");
  EXPECT_EQ(content(part_name(path_, 2)), "h\nb\nb\nc\n");
  EXPECT_EQ(content(part_name(path_, 3)), "h\nd\nd\nd\nd\n");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(PartedTableFiles, IsOneFileUnlessAskedOtherwise) {
  PartedTable table(path_, "h\n", 0);
  for (int i = 0; i < 10; ++i) table.write("a\n", 1);
  table.commit();
  EXPECT_EQ(content(path_), "h\na\na\na\na\na\na\na\na\na\na\n");
}

TEST_F(PartedTableFiles, RefusesPartsOfAnEarlierTable) {
  std::ofstream(part_name(path_, 7)) << "h\nold\n";
  const auto refusal = [&](const std::string& path, std::int64_t rows, ErrorKind kind) {
    return base::complaint_of([&] { PartedTable(path, "h\n", rows); }, kind);
  };
  EXPECT_THAT(refusal(path_, 3, ErrorKind::kRuntime), HasSubstr("t-00007.csv: there are parts"));
  PartedTable(path_, "h\n", 0).commit();
  EXPECT_THAT(refusal("-", 3, ErrorKind::kUsage), HasSubstr("standard output has no parts"));
  EXPECT_THAT(refusal(path_, -3, ErrorKind::kUsage), HasSubstr("option rows-per-file: -3"));
}

}  // namespace
}  // namespace interpole::environments
