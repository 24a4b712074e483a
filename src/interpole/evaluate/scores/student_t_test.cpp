#include "interpole/evaluate/scores/student_t.hpp"

#include <gtest/gtest.h>

namespace interpole::evaluate {
namespace {

// Quantiles as printed in tables of the distribution.
TEST(StudentT, MatchesPrintedTables) {
  EXPECT_NEAR(student_t(0.95, 1), 12.7062, 5e-5);
  EXPECT_NEAR(student_t(0.95, 2), 4.3027, 5e-5);
  EXPECT_NEAR(student_t(0.95, 3), 3.1824, 5e-5);
  EXPECT_NEAR(student_t(0.95, 4), 2.7764, 5e-5);
  EXPECT_NEAR(student_t(0.95, 9), 2.2622, 5e-5);
  EXPECT_NEAR(student_t(0.95, 30), 2.0423, 5e-5);
  EXPECT_NEAR(student_t(0.99, 10), 3.1693, 5e-5);
  EXPECT_NEAR(student_t(0.95, 100'000), 1.9600, 5e-5);
}

TEST(StudentT, ReachesWiderForFewerValues) {
  EXPECT_NEAR(reach_of_mean(0.5, 2), 0.5 * 12.7062, 5e-5);
  EXPECT_NEAR(reach_of_mean(0.5, 5), 0.5 * 2.7764, 5e-5);
}

}  // namespace
}  // namespace interpole::evaluate
