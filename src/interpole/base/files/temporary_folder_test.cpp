#include "interpole/base/files/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

TEST(TemporaryFolder, IsTheOwnersAloneAndGoneAfterwards) {
  std::string folder;
  {
    const TemporaryFolder mine;
    const TemporaryFolder another;
    folder = mine.path();
    const std::string file = mine.file("model.json");
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(std::filesystem::path(file).parent_path(), folder);
    EXPECT_NE(folder, another.path());
    std::ofstream(file) << "{}";
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(TemporaryFolder, SaysWhatToDoWhereNoneCanBeMade) {
  const TemporaryFolder parent;
  ::setenv("TMPDIR", parent.file("nowhere").c_str(), 1);
  EXPECT_THAT(complaint_of([] { const TemporaryFolder folder; }, ErrorKind::kRuntime),
              testing::HasSubstr("set TMPDIR to one that is"));
  ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace interpole::base
