// What tests of tables that are written share: a folder of their own, what was written, and a run cut short.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/sink.hpp"

namespace interpole::environments {

class WrittenTableTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_.file("table.csv"); }
  std::string text() const {
    std::ostringstream content;
    content << std::ifstream(path(), std::ios::binary).rdbuf();
    return content.str();
  }
  std::ptrdiff_t files_in_folder() const {
    return std::distance(std::filesystem::directory_iterator(folder_.path()), {});
  }

 private:
  base::TemporaryFolder folder_;
};

class StopAfterABlock : public Sink {
 public:
  void progress(const std::string&, std::int64_t, std::int64_t) override { stop_ = true; }
  bool stop_requested() const override { return stop_; }

 private:
  bool stop_ = false;
};

}  // namespace interpole::environments
