#include "interpole/base/stop.hpp"

#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/stops_after_testing.hpp"

namespace interpole::base {
namespace {

TEST(StopIfAsked, ThrowsTheSentenceWhenAskedAndOnlyThen) {
  EXPECT_NO_THROW(stop_if_asked(quiet_sink()));
  EXPECT_EQ(complaint_of([] { stop_if_asked(StopsAfter(0)); }, ErrorKind::kInterrupted),
            "stopped; nothing was written");
  EXPECT_EQ(complaint_of([] { stop_if_asked(StopsAfter(0), "stopped early"); }, ErrorKind::kInterrupted),
            "stopped early");
}

}  // namespace
}  // namespace interpole::base
