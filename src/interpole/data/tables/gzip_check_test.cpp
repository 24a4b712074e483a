#include "interpole/data/tables/gzip_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/base/source_folder_testing.hpp"

namespace interpole::data {
namespace {

using ::testing::HasSubstr;

std::string sample() {
  std::ifstream file(base::source_folder() / "src/interpole/data/testdata/visits.csv.gz", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string complaint_of_gzip(const std::string& bytes) {
  const base::TemporaryFolder folder;
  const std::string path = folder.file("visits.csv.gz");
  std::ofstream(path, std::ios::binary) << bytes;
  return base::complaint_of([&] { require_whole_gzip(path); });
}

TEST(GzipCheck, TakesAWholeFileAndTwoInARow) {
  EXPECT_EQ(complaint_of_gzip(sample()), "accepted");
  EXPECT_EQ(complaint_of_gzip(sample() + sample()), "accepted");
}

TEST(GzipCheck, RefusesEveryShorterCopy) {
  const std::string whole = sample();
  ASSERT_GT(whole.size(), 20u);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(complaint_of_gzip(whole.substr(0, length)), HasSubstr("ends too early")) << "at " << length;
  }
}

TEST(GzipCheck, RefusesDamageAndWhatIsNotGzip) {
  std::string damaged = sample();
  damaged[damaged.size() / 2] ^= 0x10;
  EXPECT_THAT(complaint_of_gzip(damaged), HasSubstr(".gz: "));
  EXPECT_THAT(complaint_of_gzip("patient,step\n"), HasSubstr("not a sound gzip file"));
}

}  // namespace
}  // namespace interpole::data
