#include "interpole/base/files/text_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::base {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& path) {
  return complaint_of([&] { read_text_file(path, "model file"); });
}

TEST(TextFile, IsReadByteByByte) {
  const std::string path = ::testing::TempDir() + "text_file";
  const std::string text("a\r\n\0\xFFz", 6);
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read_text_file(path, "model file"), text);
  std::filesystem::remove(path);
}

TEST(TextFile, RefusesWhatIsNoFileOrTooLarge) {
  EXPECT_THAT(refusal(::testing::TempDir()), HasSubstr("this is a folder; give the model file in it"));
  EXPECT_THAT(refusal("none.json"), HasSubstr("none.json: cannot open it: No such file"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("larger than 256 MB; this is not a model file"));
}

}  // namespace
}  // namespace interpole::base
