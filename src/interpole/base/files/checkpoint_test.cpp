#include "interpole/base/files/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/temporary_folder.hpp"

namespace interpole::base {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CheckpointTest : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  std::string path_ = folder_.file("run.checkpoint");
  Checkpoint::Fingerprint run_ = {{"verb", "sample"}, {"study", "ab12"}, {"seed", "1"}};

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  std::string refusal() const {
    return complaint_of([&] { const Checkpoint checkpoint(path_, run_); });
  }
};

TEST_F(CheckpointTest, GivesBackWhatItRemembered) {
  const std::string odd("bytes\n of\tany \0 kind\n", 20);
  {
    Checkpoint checkpoint(path_, run_);
    EXPECT_FALSE(checkpoint.resumed());
    EXPECT_FALSE(checkpoint.recall("chain 1"));
    checkpoint.remember("chain 1", "early");
    checkpoint.remember("chain 1", odd);
    checkpoint.remember("chain 2", "");
    EXPECT_EQ(checkpoint.recall("chain 1"), odd);
    checkpoint.write();
  }
  const Checkpoint checkpoint(path_, run_);
  EXPECT_TRUE(checkpoint.resumed());
  EXPECT_EQ(checkpoint.recall("chain 1"), odd);
  EXPECT_EQ(checkpoint.recall("chain 2"), "");
  EXPECT_FALSE(checkpoint.recall("chain 3"));
}

TEST_F(CheckpointTest, NamesTheFirstDifferenceToAnotherRun) {
  Checkpoint(path_, run_).write();
  run_[1].second = "cd34";
  run_[2].second = "2";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("run.checkpoint"), HasSubstr("its study is ab12, here it is cd34"),
                               HasSubstr("delete it, or name another file")));
  run_ = {{"verb", "sample"}, {"study", "ab12"}};
  EXPECT_THAT(refusal(), HasSubstr("other settings"));
}

TEST_F(CheckpointTest, SpeaksOfOptionsAndStoresThemAsEver) {
  run_.emplace_back("option warm-up", "50");
  Checkpoint(path_, run_).write();
  EXPECT_THAT(bytes(), HasSubstr("\n--warm-up\t50\n"));
  EXPECT_TRUE(Checkpoint(path_, run_).resumed());
  run_.back().second = "60";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("its option warm-up is 50, here it is 60"),
                               HasSubstr("another file by option checkpoint")));
}

TEST_F(CheckpointTest, RefusesEveryCutAndEveryAlteredByte) {
  {
    Checkpoint checkpoint(path_, run_);
    checkpoint.remember("chain 1", "0x1p+0 0x1p+1\n");
    checkpoint.write();
  }
  const std::string good = bytes();
  for (std::size_t length = 0; length < good.size(); ++length) {
    put(good.substr(0, length));
    EXPECT_NE(refusal(), "accepted") << "cut to " << length;
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    put(bad);
    EXPECT_NE(refusal(), "accepted") << "byte " << i;
  }
  put(good + "x");
  EXPECT_THAT(refusal(), HasSubstr("checksum"));
  put("patient,step\n");
  EXPECT_THAT(refusal(), HasSubstr("not a checkpoint of this program"));
  put(good);
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(CheckpointTest, RefusesAFolder) {
  path_ = folder_.path();
  EXPECT_THAT(refusal(), HasSubstr("not a file"));
}

TEST_F(CheckpointTest, IsDueAfterItsTime) {
  const Checkpoint patient(path_, run_, 3600.0);
  EXPECT_FALSE(patient.due());
  const Checkpoint eager(path_, run_, 0.0);
  EXPECT_TRUE(eager.due());
}

TEST_F(CheckpointTest, LeavesNothingBehindWhenTheRunHasFinishedButWhatIsNotItsOwn) {
  Checkpoint checkpoint(path_, run_);
  checkpoint.write();
  // Of runs that were killed while writing, at once or later.
  std::ofstream(folder_.file(".run.checkpoint.interpole-a1B2c3")) << "interpole-check";
  std::ofstream(folder_.file(".run.checkpoint.interpole-d4E5f6")) << "";
  const std::vector<std::string> others = {".run.checkpoint.backup", ".run.checkpoint.other",
                                           ".run.checkpoint.interpole-manual",
                                           ".run.checkpoint.interpole-longer", "run.checkpoint.csv"};
  for (const std::string& name : others) std::ofstream(folder_.file(name)) << "not ours";
  checkpoint.remove();
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    left.push_back(entry.path().filename());
  EXPECT_THAT(left, ::testing::UnorderedElementsAreArray(others));
}

TEST_F(CheckpointTest, RemovesNothingThatTookItsPlace) {
  Checkpoint checkpoint(path_, run_);
  checkpoint.write();
  put("patient,step\n");
  checkpoint.remove();
  EXPECT_EQ(bytes(), "patient,step\n");
}

TEST_F(CheckpointTest, BehindALinkTheFileIsRemovedAndTheLinkStays) {
  const std::string link = folder_.file("link");
  std::filesystem::create_symlink(path_, link);
  Checkpoint checkpoint(link, run_);
  checkpoint.write();
  EXPECT_TRUE(std::filesystem::exists(path_));
  checkpoint.remove();
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

}  // namespace
}  // namespace interpole::base
