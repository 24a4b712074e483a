#include "interpole/base/files/hash.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::base {
namespace {

// Answers from FIPS 180-4's examples.
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kTwoBlocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
constexpr const char* kMillionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Hash, MatchesKnownAnswers) {
  EXPECT_EQ(sha256(""), kEmpty);
  EXPECT_EQ(sha256("abc"), kAbc);
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), kTwoBlocks);
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), kMillionA);
}

TEST(Hash, FileLargerThanTheBufferHashesLikeItsBytes) {
  const auto path =
      std::filesystem::temp_directory_path() / ("interpole_hash_test_" + std::to_string(::getpid()));
  const std::string bytes = std::string(3'000'001, 'q') + std::string(1, '\0') + "end";
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(sha256_of_file(path.string()), sha256(bytes));
  std::ofstream(path, std::ios::binary | std::ios::trunc).flush();
  EXPECT_EQ(sha256_of_file(path.string()), kEmpty);
  std::filesystem::remove(path);
}

TEST(Hash, MissingFileIsAnInputErrorThatNamesIt) {
  EXPECT_EQ(complaint_of([&] { sha256_of_file("/nonexistent/visits.csv"); }),
            "/nonexistent/visits.csv: cannot open it: No such file or directory");
}

TEST(Hash, AnErrorOfReadingIsNotTheEndOfTheFile) {
  // A folder opens, but cannot be read.
  EXPECT_EQ(complaint_of([] { sha256_of_file("/tmp"); }), "/tmp: cannot read it: Is a directory");
}

}  // namespace
}  // namespace interpole::base
