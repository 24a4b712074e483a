// Families of columns and times of visits, for drafts that take numbers as they were measured.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/data/draft/family_guess.hpp"
#include "interpole/data/draft/time_guess.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"

namespace interpole::data {
namespace {

using testing::HasSubstr;

class MeasuredGuess : public MappedTest {
 protected:
  std::optional<FamilyGuess> guess_of(const std::function<double(base::RandomStream&)>& value) {
    base::RandomStream random(3, 1);
    std::string text = "id,visit,x\n";
    for (int i = 0; i < 400; ++i) text += fmt::format("{},{},{}\n", i / 4, i % 4, value(random));
    ProfiledTable table(file("t.csv", text));
    table.keep_shared_by("id");
    return guess_family(table, "x", "id");
  }
  FamilyGuess family_of(const std::function<double(base::RandomStream&)>& value) {
    return guess_of(value).value_or(FamilyGuess{});
  }

  std::optional<TimeGuess> time_of(const std::string& column, OrderKind kind,
                                   const std::function<std::string(int)>& cell) {
    std::string text = fmt::format("id,{},x\n", column);
    for (int i = 0; i < 120; ++i) text += fmt::format("{},{},{}\n", i / 4, cell(i), i);
    const ProfiledTable table(file("t.csv", text));
    OrderGuess order;
    order.column = column;
    order.kind = kind;
    return guess_time(table, "id", order);
  }
};

TEST_F(MeasuredGuess, FamiliesFollowTheValues) {
  const auto rounded = [](double x) { return std::round(10.0 * x) / 10.0; };
  EXPECT_EQ(family_of([&](auto& r) { return rounded(6.2 + 0.9 * r.normal()); }).family, "normal");
  EXPECT_EQ(family_of([&](auto& r) { return std::round(130.0 + 12.0 * r.normal()); }).family, "normal");
  EXPECT_EQ(family_of([&](auto& r) { return -5.0 + r.normal(); }).family, "normal");
  EXPECT_EQ(family_of([](auto& r) { return 2.0 * std::exp(0.8 * r.normal()); }).family, "lognormal");
  EXPECT_EQ(family_of([](auto& r) { return static_cast<double>(r.poisson(2.5)); }).family, "poisson");
  const auto spread = family_of([](auto& r) { return static_cast<double>(r.poisson(2.5 * r.gamma(0.8))); });
  EXPECT_EQ(spread.family, "negative-binomial");
  EXPECT_THAT(spread.why, HasSubstr("times the mean"));
  EXPECT_EQ(family_of([](auto&) { return 7.5; }).family, "normal");
}

TEST_F(MeasuredGuess, AHeapAtTheLowestValueIsALimitOfDetection) {
  const auto censored = family_of(
      [](auto& r) { return std::max(0.1, std::round(100.0 * std::exp(r.normal() - 1.0)) / 100.0); });
  ASSERT_TRUE(censored.below);
  EXPECT_EQ(*censored.below, 0.1);
  EXPECT_FALSE(family_of([](auto& r) { return std::round(100.0 * std::exp(r.normal())) / 100.0; }).below);
}

// 0 for "none", say, among measurements.
TEST_F(MeasuredGuess, AHeapInBetweenHasNoFamily) {
  EXPECT_FALSE(guess_of([](auto& r) { return r.uniform() < 0.2 ? 0.0 : r.normal(); }));
  const auto ceiling =
      family_of([](auto& r) { return std::min(30.0, std::round(270.0 + 25.0 * r.normal()) / 10.0); });
  ASSERT_TRUE(ceiling.above);
  EXPECT_EQ(*ceiling.above, 30.0);
}

TEST_F(MeasuredGuess, ValuesOfWideStepsHaveNoFamily) {
  EXPECT_FALSE(guess_of([](auto& r) { return std::round(12.0 + 2.0 * r.normal()); }));
  EXPECT_TRUE(guess_of([](auto& r) { return std::round(30.0 + 5.0 * r.normal()); }));
  EXPECT_TRUE(guess_of([](auto& r) { return std::round(10.0 * (1.2 + 0.5 * r.normal())) / 10.0; }));
}

TEST_F(MeasuredGuess, TimesMatterWhereVisitsAreIrregular) {
  const auto day = [](int i) { return fmt::format("2020-{:02}-{:02}", 1 + i % 4, 1 + i % 4 + (i * 7) % 20); };
  const auto irregular = time_of("date", OrderKind::kDate, day);
  ASSERT_TRUE(irregular);
  EXPECT_EQ(irregular->unit, "days");
  EXPECT_TRUE(irregular->unit_known);
  EXPECT_TRUE(irregular->irregular);
  const auto monthly =
      time_of("date", OrderKind::kDate, [](int i) { return fmt::format("2020-{:02}-01", 1 + 2 * (i % 4)); });
  ASSERT_TRUE(monthly);
  EXPECT_FALSE(monthly->irregular);
  const auto hours = time_of("charttime", OrderKind::kDate, [](int i) {
    return fmt::format("2020-01-01 {:02}:30:00", (i % 4) * 5 + i % 3);
  });
  ASSERT_TRUE(hours);
  EXPECT_EQ(hours->unit, "hours");
}

TEST_F(MeasuredGuess, NumbersHaveTheUnitThatTheirNameSays) {
  const auto cell = [](int i) { return std::to_string((i % 4) * 10 + (i * 7) % 9); };
  EXPECT_EQ(time_of("week", OrderKind::kNumber, cell)->unit, "weeks");
  EXPECT_EQ(time_of("MONTH", OrderKind::kNumber, cell)->unit, "months");
  const auto unknown = time_of("t", OrderKind::kNumber, cell);
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->unit_known);
  EXPECT_FALSE(time_of("visit", OrderKind::kNumber, cell));  // it counts visits
  EXPECT_FALSE(time_of("code", OrderKind::kCodes, cell));
}

}  // namespace
}  // namespace interpole::data
