#include "interpole/base/memory/memory_file.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/hash.hpp"
#include "interpole/base/files/text_file.hpp"

namespace interpole::base {
namespace {

using testing::HasSubstr;

std::shared_ptr<const MemoryContent> some_text(const std::string& text) {
  return std::make_shared<MemoryText>(text);
}

TEST(MemoryFile, IsReadAndHashedLikeAFile) {
  const MemoryFile file("model.json", some_text("abc"));
  EXPECT_TRUE(file.path().ends_with("/model.json"));
  EXPECT_EQ(read_text_file(file.path(), "model file"), "abc");
  EXPECT_EQ(sha256_of_file(file.path()), sha256("abc"));
}

TEST(MemoryFile, HasAPathOfItsOwn) {
  const MemoryFile one("x", some_text("1"));
  const MemoryFile other("x", some_text("2"));
  EXPECT_EQ(read_text_file(one.path(), ""), "1");
  EXPECT_EQ(read_text_file(other.path(), ""), "2");
}

TEST(MemoryFile, IsGoneWithItsHolder) {
  std::string path;
  {
    const MemoryFile file("x", some_text("1"));
    path = file.path();
  }
  EXPECT_THAT(complaint_of([&] { memory_content(path); }, ErrorKind::kRuntime),
              HasSubstr("no longer in memory"));
}

TEST(MemoryFile, OtherPathsAreNotOfMemory) {
  for (const char* path : {"", "visits.csv", "memory:", "memory:x/y", "memory:7", "./memory:1/x"}) {
    EXPECT_EQ(memory_content(path), nullptr) << path;
  }
}

TEST(MemoryFile, NamesAreNoPaths) {
  EXPECT_THAT(complaint_of([] { MemoryFile("a/b", nullptr); }, ErrorKind::kUsage),
              HasSubstr("without a folder"));
  EXPECT_THAT(complaint_of([] { MemoryFile("", nullptr); }, ErrorKind::kUsage),
              HasSubstr("without a folder"));
}

TEST(PlainNames, AreAllThatIsLeftInMessages) {
  EXPECT_EQ(with_plain_names("memory:12/a.csv: row 3"), "a.csv: row 3");
  EXPECT_EQ(with_plain_names("memory:1/s.toml: not the study of memory:22/m.json"),
            "s.toml: not the study of m.json");
  EXPECT_EQ(with_plain_names("memory: 3 and memory:x/ stay"), "memory: 3 and memory:x/ stay");
}

}  // namespace
}  // namespace interpole::base
