#include "interpole/base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace interpole {
namespace {

TEST(TemporaryFolder, IsTheOwnersAloneAndGoneAfterwards) {
  std::string file;
  std::filesystem::path folder;
  {
    const TemporaryFolder mine;
    const TemporaryFolder another;
    file = mine.file("model.json");
    folder = std::filesystem::path(file).parent_path();
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
    EXPECT_NE(file, another.file("model.json"));
    std::ofstream(file) << "{}";
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace interpole
