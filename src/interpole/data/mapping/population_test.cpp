#include "interpole/data/mapping/population.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace interpole::data {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

NumericBins spread(double width) {
  NumericBins rule;
  rule.rule = BinRule::kSpread;
  rule.width = width;
  return rule;
}

NumericBins quantiles(const std::vector<double>& shares) {
  NumericBins rule;
  rule.rule = BinRule::kQuantiles;
  rule.quantiles = shares;
  return rule;
}

TEST(Population, StandardDeviationSurvivesALargeOffset) {
  const NumericBins rule = spread(2);
  Population population(rule);
  for (const double x : {1.0, 2.0, 3.0, 4.0}) population.add(1e9 + x);
  population.add(std::numeric_limits<double>::quiet_NaN());
  const UsedBins bins = population.bins();
  EXPECT_THAT(*bins.mean, DoubleEq(1e9 + 2.5));
  // Welford's recurrence loses about 1e9 · 2⁻⁵² here; the naive sum of squares would lose everything.
  EXPECT_THAT(*bins.spread, DoubleNear(std::sqrt(5.0 / 3.0), 1e-6));
  EXPECT_THAT(bins.cuts, ElementsAre(*bins.mean - 2 * *bins.spread, *bins.mean + 2 * *bins.spread));
}

TEST(Population, OneValueHasNoSpread) {
  const NumericBins rule = spread(1);
  Population population(rule);
  population.add(7);
  EXPECT_THAT(population.bins().cuts, ElementsAre(7.0, 7.0));
}

TEST(Population, QuantilesLieBetweenValuesInProportion) {
  const NumericBins rule = quantiles({0.25, 0.5, 0.9});
  Population population(rule);
  for (const double x : {40.0, 10.0, 30.0, 20.0, 50.0}) population.add(x);
  EXPECT_THAT(population.bins().cuts, ElementsAre(DoubleEq(20), DoubleEq(30), DoubleEq(46)));
}

TEST(Population, NobodyHasNoBins) {
  const NumericBins by_spread = spread(1);
  const NumericBins by_share = quantiles({0.5});
  EXPECT_THAT(Population(by_spread).bins().cuts, IsEmpty());
  EXPECT_THAT(Population(by_share).bins().cuts, IsEmpty());
  EXPECT_THAT(stated_bins(by_share).cuts, IsEmpty());
}

TEST(Population, StatedBinsNeedNobody) {
  NumericBins rule = spread(0.5);
  rule.mean = 6642;
  rule.spread = 1225;
  EXPECT_THAT(stated_bins(rule).cuts, ElementsAre(6029.5, 7254.5));
  EXPECT_FALSE(rule.derived());
  EXPECT_TRUE(spread(1).derived());
}

}  // namespace
}  // namespace interpole::data
