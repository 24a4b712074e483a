#include "interpole/base/files/file_stamp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::base {
namespace {

class FileStampTest : public ::testing::Test {
 protected:
  void put(const std::string& text) const { std::ofstream(file_) << text; }
  std::string complaint(const WatchedFiles& watched) const {
    return complaint_of([&] { watched.require_unchanged(); });
  }

  const TemporaryFolder folder_;
  const std::string file_ = folder_.file("visits.csv");
  const std::array<std::string, 2> watched_ = {"/dev/null", file_};
};

TEST_F(FileStampTest, WhatIsReadStaysAsItWas) {
  put("one");
  const WatchedFiles watched(watched_);
  std::ifstream(file_).get();
  EXPECT_EQ(complaint(watched), "accepted");
}

TEST_F(FileStampTest, EveryChangeIsSeen) {
  const std::string expected =
      file_ + ": the file was changed while it was read or worked with; run again when nothing writes to it";
  put("one");
  {
    const WatchedFiles watched(watched_);
    std::ofstream(file_, std::ios::app) << "more";
    EXPECT_EQ(complaint(watched), expected);
  }
  {
    const WatchedFiles watched(watched_);
    const auto before = std::filesystem::last_write_time(file_);
    put("onemor2");                                   // as long as before,
    std::filesystem::last_write_time(file_, before);  // and as if nothing had been
    EXPECT_EQ(complaint(watched), expected);
  }
  {
    const WatchedFiles watched(watched_);
    std::ofstream(folder_.file("other")) << "onemore";
    std::filesystem::rename(folder_.file("other"), file_);
    EXPECT_EQ(complaint(watched), expected);
  }
  {
    const WatchedFiles watched(watched_);
    std::filesystem::remove(file_);
    EXPECT_EQ(complaint(watched), expected);
  }
}

TEST_F(FileStampTest, AFileIsTheSameByAnyName) {
  put("one");
  std::filesystem::create_symlink(file_, folder_.file("link"));
  std::filesystem::create_hard_link(file_, folder_.file("hard"));
  std::ofstream(folder_.file("other")) << "one";
  EXPECT_TRUE(same_file(file_, folder_.path() + "/./visits.csv"));
  EXPECT_TRUE(same_file(file_, folder_.file("link")));
  EXPECT_TRUE(same_file(file_, folder_.file("hard")));
  EXPECT_FALSE(same_file(file_, folder_.file("other")));
  EXPECT_FALSE(same_file(folder_.file("none"), folder_.file("none")));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace interpole::base
