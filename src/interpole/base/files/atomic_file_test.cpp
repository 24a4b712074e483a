#include "interpole/base/files/atomic_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class AtomicFileTest : public testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  void leave_old_file() const { std::ofstream(target_) << "old"; }

  const TemporaryFolder folder_;
  const std::string target_ = folder_.file("result.json");
};

std::string message_of_writing(const std::string& path) {
  return complaint_of([&] { write_file_atomically(path, "new"); }, ErrorKind::kRuntime);
}

TEST_F(AtomicFileTest, CommitReplacesTheOldFileAndLeavesNothingElse) {
  leave_old_file();
  AtomicFile file(target_);
  file.write("ne");
  file.write("w");
  EXPECT_EQ(bytes_of(target_), "old");
  file.commit();
  EXPECT_EQ(bytes_of(target_), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, WritesMoreThanItsBuffer) {
  const std::string large(5'000'001, 'x');
  write_file_atomically(target_, large + "end");
  EXPECT_EQ(bytes_of(target_), large + "end");
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileSurvives) {
  leave_old_file();
  {
    AtomicFile file(target_);
    file.write(std::string(3'000'000, 'x'));  // past the buffer: some bytes are on disk
    EXPECT_EQ(files(), 2U);
  }
  EXPECT_EQ(bytes_of(target_), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, WithoutCommitNoFileAppears) {
  { AtomicFile(target_).write("new"); }
  EXPECT_EQ(files(), 0U);
}

// A limit on file size makes write() fail as a full disk does. It cannot be lifted again, so a child takes
// it.
int write_beyond_limit(const std::string& target) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 10;
  try {
    write_file_atomically(target, std::string(100'000, 'x'));
  } catch (const Error& error) {
    const bool named = std::string(error.what()).starts_with(target + ": cannot write it: File too large");
    return error.kind() == ErrorKind::kRuntime && named ? 0 : 11;
  }
  return 12;
}

TEST_F(AtomicFileTest, WhenTheDiskIsFullTheOldFileSurvivesAndNoTemporaryIsLeft) {
  leave_old_file();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(write_beyond_limit(target_));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(bytes_of(target_), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, MissingFolderIsNamed) {
  const std::string path = folder_.file("nowhere/result.json");
  EXPECT_THAT(message_of_writing(path), StartsWith(path + ": cannot create it: No such file or directory"));
}

TEST_F(AtomicFileTest, ParentThatIsAFileIsNamed) {
  leave_old_file();
  const std::string path = target_ + "/result.json";
  EXPECT_THAT(message_of_writing(path), StartsWith(path + ": cannot create it: Not a directory"));
  EXPECT_EQ(bytes_of(target_), "old");
}

TEST_F(AtomicFileTest, FolderAsTargetIsRefusedAndKept) {
  fs::create_directory(target_);
  EXPECT_THAT(message_of_writing(target_), HasSubstr("Is a directory"));
  EXPECT_TRUE(fs::is_directory(target_));
  EXPECT_EQ(files(), 1U);
}

mode_t permissions_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

TEST_F(AtomicFileTest, PermissionsFollowTheUmask) {
  const auto permissions = [&](mode_t mask) {
    fs::remove(target_);
    const mode_t before = ::umask(mask);
    write_file_atomically(target_, "new");
    ::umask(before);
    return permissions_of(target_);
  };
  EXPECT_EQ(permissions(022), 0644U);
  EXPECT_EQ(permissions(077), 0600U);
  EXPECT_EQ(permissions(002), 0664U);
}

TEST_F(AtomicFileTest, AFileThatIsReplacedKeepsItsPermissions) {
  leave_old_file();
  for (const mode_t mode : {0600U, 0640U, 0644U}) {
    ASSERT_EQ(::chmod(target_.c_str(), mode), 0);
    write_file_atomically(target_, "new");
    EXPECT_EQ(permissions_of(target_), mode);
    write_file_atomically(target_, "new", NewFile::kPrivate);
    EXPECT_EQ(permissions_of(target_), mode);
  }
}

TEST_F(AtomicFileTest, APrivateFileIsItsOwnersAlone) {
  write_file_atomically(target_, "new", NewFile::kPrivate);
  EXPECT_EQ(permissions_of(target_), 0600U);
}

TEST_F(AtomicFileTest, ALinkToNothingMakesTheFileItNames) {
  const std::string link = folder_.file("link.json");
  fs::create_symlink("result.json", link);  // relative to the link's folder
  write_file_atomically(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(bytes_of(target_), "new");
}

TEST_F(AtomicFileTest, LinksInACircleAreRefused) {
  const std::string one = folder_.file("one");
  fs::create_symlink(folder_.file("two"), one);
  fs::create_symlink(one, folder_.file("two"));
  EXPECT_THAT(message_of_writing(one), HasSubstr("Too many levels of symbolic links"));
  EXPECT_TRUE(fs::is_symlink(one));
}

TEST_F(AtomicFileTest, ANameOfTheLongestKindHasATemporaryOneToo) {
  const std::string path = folder_.file(std::string(255, 'n'));
  write_file_atomically(path, "new");
  EXPECT_EQ(bytes_of(path), "new");
}

TEST_F(AtomicFileTest, ALinkIsFollowedNotReplaced) {
  leave_old_file();
  const fs::path link = folder_.file("link.json");
  fs::create_symlink(target_, link);
  write_file_atomically(link.string(), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(bytes_of(target_), "new");
}

TEST_F(AtomicFileTest, ADeviceIsWrittenToNotReplaced) {
  write_file_atomically("/dev/null", "new");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, AFullDeviceIsAnError) {
  EXPECT_THAT(message_of_writing("/dev/full"), HasSubstr("/dev/full"));
}

}  // namespace
}  // namespace interpole::base
