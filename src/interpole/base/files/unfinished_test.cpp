#include "interpole/base/files/unfinished.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::base {
namespace {

// Removing is for the end of a process, so a child does it.
TEST(Unfinished, WhatIsNotWholeIsRemovedAndWhatIsStays) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("whole"), "new");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    forget_unfinished(folder.path());  // the parent's own
    AtomicFile half(folder.file("half"));
    half.write(std::string(3'000'000, 'x'));
    const TemporaryFolder inner;
    std::ofstream(folder.file("inner")) << inner.path();
    remove_unfinished();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  std::string inner;
  std::ifstream(folder.file("inner")) >> inner;
  EXPECT_FALSE(inner.empty());
  EXPECT_FALSE(std::filesystem::exists(inner));
  std::filesystem::remove(folder.file("inner"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "whole");
    ++files;
  }
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace interpole::base
