#include "interpole/base/dealing/steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace interpole::base {
namespace {

class Heard : public Sink {
 public:
  void progress(const std::string& what, std::int64_t done, std::int64_t total) override {
    EXPECT_EQ(what, "work");
    EXPECT_EQ(total, 3);
    done_.push_back(done);
  }
  std::vector<std::int64_t> done_;
};

TEST(Steps, NeverShowMoreThanWasForeseenAndEndWhenTheyAreFinished) {
  Heard heard;
  Steps steps(heard, "work", 3);
  for (int i = 0; i < 5; ++i) steps.step();
  steps.finish();
  EXPECT_THAT(heard.done_, ::testing::ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace interpole::base
