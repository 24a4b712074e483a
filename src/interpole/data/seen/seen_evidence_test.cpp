#include "interpole/data/seen/seen_evidence.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/data/seen/logistic.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;

constexpr int kPatients = 120;
constexpr int kVisits = 6;

// A marker that follows a hidden state; whoever decides acts on the belief in it. `test`: a second factor
// that is there only beside action 1, whatever the reading of the first.
CodedRows clinic(Reading seen, std::uint64_t seed, bool test = false) {
  CodedRows rows;
  rows.actions = 2;
  rows.levels = test ? std::vector<int>{2, 2} : std::vector<int>{2};
  for (int patient = 0; patient < kPatients; ++patient) {
    base::RandomStream random(seed, static_cast<std::uint64_t>(patient));
    bool ill = random.uniform() < 0.4;
    double belief = 0.4;
    for (int visit = 0; visit < kVisits; ++visit) {
      int level = 0;
      int action = 0;
      const auto see = [&] {
        level = random.uniform() < (ill ? 0.85 : 0.15) ? 1 : 0;
        const double likelihood = level == 1 ? 0.85 : 0.15;
        belief = belief * likelihood / (belief * likelihood + (1 - belief) * (1 - likelihood));
      };
      const auto act = [&] {
        action = random.uniform() < 1.0 / (1.0 + std::exp(-8.0 * (belief - 0.5))) ? 1 : 0;
        belief = 0.85 * belief + 0.1 * (1 - belief);
        ill = random.uniform() < (ill ? 0.85 : 0.1);
      };
      if (seen == Reading::kBefore) {
        see();
        act();
      } else {
        act();
        see();
      }
      rows.action.push_back(action);
      rows.digits.push_back(level + 1);
      if (test) rows.digits.push_back(action == 1 ? 1 + (ill ? 1 : 0) : 0);
    }
    rows.ends.push_back(rows.action.size());
  }
  return rows;
}

TEST(SeenEvidence, TellsWhatLedToActionsFromWhatCameOfThem) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Reading seen : {Reading::kBefore, Reading::kAfter}) {
      const SeenEvidence evidence = weigh_readings(clinic(seen, seed));
      EXPECT_THAT(evidence.best, ElementsAre(seen)) << seed;
      EXPECT_TRUE(evidence.clear()) << seed;
    }
  }
}

TEST(SeenEvidence, DoubtsOnlyWhatIsDeclaredWrongly) {
  for (const Reading seen : {Reading::kBefore, Reading::kAfter}) {
    const CodedRows rows = clinic(seen, 3);
    const Reading wrong = seen == Reading::kBefore ? Reading::kAfter : Reading::kBefore;
    EXPECT_TRUE(doubt_reading(rows, {seen}).factors.empty());
    EXPECT_THAT(doubt_reading(rows, {wrong}).factors, ElementsAre(0u));
    EXPECT_GT(doubt_reading(rows, {wrong}).comparison.gain, 0.0);
  }
}

TEST(SeenEvidence, AResultThatIsThereWhereItWasOrderedCameOfTheOrder) {
  const CodedRows rows = clinic(Reading::kBefore, 4, true);
  const SeenEvidence evidence = weigh_readings(rows);
  EXPECT_THAT(evidence.best, ElementsAre(Reading::kBefore, Reading::kAfter));
  EXPECT_THAT(evidence.told_by_gaps, ElementsAre(0, 1));
  const SeenDoubt doubt = doubt_reading(rows, {Reading::kBefore, Reading::kBefore});
  EXPECT_THAT(doubt.factors, ElementsAre(1u));
  EXPECT_TRUE(doubt.by_gaps);
}

TEST(SeenEvidence, SaysNothingClearlyWhereNothingIsToBeSeen) {
  CodedRows rows = clinic(Reading::kAfter, 5);
  base::RandomStream random(6, 0);
  for (int& action : rows.action) action = random.uniform() < 0.5 ? 1 : 0;
  EXPECT_FALSE(weigh_readings(rows).clear());
  EXPECT_TRUE(doubt_reading(rows, {Reading::kBefore}).factors.empty());
  EXPECT_TRUE(doubt_reading(rows, {Reading::kAfter}).factors.empty());
}

TEST(SeenEvidence, OfNextToNothingIsNotWeighed) {
  CodedRows rows;
  rows.actions = 2;
  rows.levels = {2};
  rows.ends = {2};
  rows.action = {0, 1};
  rows.digits = {1, 2};
  EXPECT_FALSE(weigh_readings(rows).clear());
}

TEST(Logistic, FindsTheWeightsThatMadeTheData) {
  Features features;
  features.count = 2;
  std::vector<char> target;
  base::RandomStream random(7, 0);
  for (int i = 0; i < 4000; ++i) {
    const double x = random.normal();
    features.values.insert(features.values.end(), {1.0, x});
    target.push_back(random.uniform() < 1.0 / (1.0 + std::exp(-(0.5 + 1.5 * x))) ? 1 : 0);
  }
  const auto weights = fit_logistic(features, target, std::vector<char>(4000, 1), 1e-3);
  EXPECT_NEAR(weights[0], 0.5, 0.15);
  EXPECT_NEAR(weights[1], 1.5, 0.2);
  // Data that a line separates have no largest likelihood; the ridge keeps weights finite.
  for (int i = 0; i < 4000; ++i) target[static_cast<std::size_t>(i)] = features.row(i)[1] > 0.0 ? 1 : 0;
  EXPECT_TRUE(std::isfinite(fit_logistic(features, target, std::vector<char>(4000, 1), 1e-3)[1]));
}

}  // namespace
}  // namespace interpole::data
