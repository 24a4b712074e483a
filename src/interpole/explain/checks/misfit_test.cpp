#include "interpole/explain/checks/misfit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/random.hpp"

namespace interpole::explain {
namespace {

// χ² with `degrees` of freedom around a mean so far from zero.
double noncentral(int degrees, double noncentrality, base::RandomStream& random) {
  double sum = 0.0;
  for (int i = 0; i < degrees; ++i) {
    const double x = random.normal() + (i == 0 ? std::sqrt(noncentrality) : 0.0);
    sum += x * x;
  }
  return sum;
}

ModelCheck check_of(const std::string& name, double statistic, int degrees) {
  ModelCheck check;
  check.name = name;
  check.statistic = statistic;
  check.degrees = degrees;
  return check;
}

TEST(Misfit, IsNothingWhereChanceGivesAsMuch) {
  EXPECT_EQ(least_noncentrality(18.0, 10, 0.05), 0.0);  // the 95% quantile is 18.3
  EXPECT_GT(least_noncentrality(18.7, 10, 0.05), 0.0);
  EXPECT_EQ(least_noncentrality(5.0, 0, 0.05), 0.0);
  EXPECT_EQ(least_noncentrality(INFINITY, 3, 0.05), 0.0);
  EXPECT_EQ(proven_misfit({}), 0.0);
}

TEST(Misfit, IsBelowTheTruthAsOftenAsAsked) {
  base::RandomStream random(3, 0, base::RandomPurpose::kBootstrap);
  constexpr int kTimes = 4000;
  for (const auto& [degrees, truth] : {std::pair{1, 20.0}, {5, 3.0}, {12, 60.0}, {8, 2000.0}}) {
    int above = 0;
    for (int i = 0; i < kTimes; ++i) {
      above += least_noncentrality(noncentral(degrees, truth, random), degrees, 0.1) > truth;
    }
    EXPECT_NEAR(above, 0.1 * kTimes, 4.0 * std::sqrt(0.09 * kTimes)) << degrees << " " << truth;
  }
}

TEST(Misfit, IsThatOfTheWorstCheckOfAll) {
  const double alone = proven_misfit({check_of("steps", 60.0, 10)});
  EXPECT_GT(alone, 15.0);
  EXPECT_LT(alone, 50.0);
  const double among_others =
      proven_misfit({check_of("runs", 2.0, 3), check_of("steps", 60.0, 10), check_of("beliefs", 9.0, 9)});
  EXPECT_LT(among_others, alone);  // it is the largest of three
  EXPECT_GT(among_others, 0.7 * alone);
}

// Counts of a warehouse have no order: models from counts are those from rows.
TEST(Misfit, IsTheSameWithAndWithoutTheOrderOfRecords) {
  EXPECT_EQ(proven_misfit({check_of("steps", 60.0, 10), check_of("order", 80.0, 1)}),
            proven_misfit({check_of("steps", 60.0, 10)}));
}

TEST(Misfit, DoesNotTakeAnEvidenceRatioForAChiSquare) {
  EXPECT_EQ(proven_misfit({check_of("hidden-information", 500.0, 1)}), 0.0);
}

}  // namespace
}  // namespace interpole::explain
