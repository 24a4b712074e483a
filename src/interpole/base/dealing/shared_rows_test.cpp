#include "interpole/base/dealing/shared_rows.hpp"

#include <gtest/gtest.h>

#include "interpole/base/ranks/thread_ranks_testing.hpp"

namespace interpole::base {
namespace {

void fill(std::span<double> row, int i) {
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = 100.0 * i + static_cast<double>(k);
}

TEST(SharedRows, AreTheSameOnAllRanksForAnyNumberOfThem) {
  const std::vector<int> lengths = {3, 0, 5, 1, 1, 2, 4};
  for (const int size : {1, 2, 3, 5, 8}) {
    run_as_ranks(size, [&](Ranks& all) {
      SharedRows rows;
      rows.lay_out(lengths);
      for (int i = rows.begin(); i < rows.end(); ++i) fill(rows.row(i), i);
      rows.gather();
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        std::vector<double> expected(lengths[i]);
        fill(expected, static_cast<int>(i));
        const auto row = rows.row(static_cast<int>(i));
        EXPECT_EQ(std::vector<double>(row.begin(), row.end()), expected);
      }
      EXPECT_EQ(all.traffic().calls, size > 1 ? 1 : 0);
    });
  }
}

TEST(SharedRows, AreDealtCompletelyAndEvenly) {
  const std::vector<int> lengths(64, 2);
  for (const int size : {1, 5, 64, 70}) {
    std::vector<int> dealt(size);
    run_as_ranks(size, [&](Ranks& all) {
      SharedRows rows;
      rows.lay_out(lengths);
      dealt[all.rank()] = rows.end() - rows.begin();
    });
    int sum = 0;
    for (const int rows : dealt) {
      EXPECT_LE(rows, (64 + size - 1) / size);
      sum += rows;
    }
    EXPECT_EQ(sum, 64);
  }
}

TEST(SharedRows, AreLaidOutAnewWhenARankIsAlone) {
  run_as_ranks(2, [&](Ranks&) {
    SharedRows rows;
    rows.lay_out(std::vector<int>{1, 1, 1, 1});
    EXPECT_EQ(rows.end() - rows.begin(), 2);
    const RankScope scope(alone());
    rows.lay_out(std::vector<int>{1, 1, 1, 1});
    EXPECT_EQ(rows.begin(), 0);
    EXPECT_EQ(rows.end(), 4);
  });
}

}  // namespace
}  // namespace interpole::base
