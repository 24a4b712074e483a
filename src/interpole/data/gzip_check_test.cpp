#include "interpole/data/gzip_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "interpole/base/error.hpp"

namespace interpole {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string sample() {
  std::ifstream file(fs::path(__FILE__).parent_path() / "testdata" / "visits.csv.gz", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Empty if the bytes pass, else the message.
std::string complaint(const std::string& bytes) {
  // Tests run side by side, each in a process of its own.
  const std::string path = ::testing::TempDir() + "gzip_check_test_" + std::to_string(::getpid()) + ".gz";
  std::ofstream(path, std::ios::binary) << bytes;
  std::string message;
  try {
    require_whole_gzip(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    message = error.what();
  }
  fs::remove(path);
  return message;
}

TEST(GzipCheck, TakesAWholeFileAndTwoInARow) {
  EXPECT_EQ(complaint(sample()), "");
  EXPECT_EQ(complaint(sample() + sample()), "");
}

TEST(GzipCheck, RefusesEveryShorterCopy) {
  const std::string whole = sample();
  ASSERT_GT(whole.size(), 20u);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(complaint(whole.substr(0, length)), HasSubstr("ends too early")) << "at " << length;
  }
}

TEST(GzipCheck, RefusesDamageAndWhatIsNotGzip) {
  std::string damaged = sample();
  damaged[damaged.size() / 2] ^= 0x10;
  EXPECT_THAT(complaint(damaged), HasSubstr(".gz: "));
  EXPECT_THAT(complaint("patient,step\n"), HasSubstr("not a sound gzip file"));
}

}  // namespace
}  // namespace interpole
