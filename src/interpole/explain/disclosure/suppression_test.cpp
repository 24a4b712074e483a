#include "interpole/explain/disclosure/suppression.hpp"

#include <gtest/gtest.h>

namespace interpole::explain {
namespace {

// 30 patients, 19 flagged. None of the 11 at site b is; a cohort has all patients but one of these. 10 of the
// cohort are not flagged, or 11: so much a reader knows who has counted the flags, whatever is withheld.
class AllButOne : public ::testing::Test {
 protected:
  Publishable decide(const std::vector<char>& told) const {
    return publishable(rows_, counts_, {1, 1, 0}, 11, told);
  }

  std::vector<TableRow> rows_ = {{{{1, 1, 1}}, {}}, {{{1, 1, 0}}, {}}, {{{0, 1, 1}}, {}}};  // all, b, cohort
  PartCounts counts_ = {{0, 0, 19}, {1, 10, 0}, {0, 0, 19}, {1, 10, 0}};
};

TEST_F(AllButOne, WhatWouldNarrowItIsWithheldAndNoMore) {
  const Publishable found = decide({0, 0, 0});
  EXPECT_EQ(found.shown, (std::vector<char>{1, 0, 0}));
  EXPECT_FALSE(found.too_late);
}

TEST_F(AllButOne, WhatIsPublishedAndNarrowsItIsTooLate) {
  EXPECT_TRUE(decide({0, 1, 0}).too_late);
}

}  // namespace
}  // namespace interpole::explain
