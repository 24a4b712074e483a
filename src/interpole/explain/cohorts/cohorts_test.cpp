#include "interpole/explain/cohorts/cohorts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/cohorts/cohort_parts.hpp"

namespace interpole::explain {
namespace {

using ::testing::HasSubstr;

std::string complaint(const std::string& text, const std::vector<std::string>& known = {}) {
  return base::complaint_of([&] { CohortExpression::parse(text, known); }, ErrorKind::kUsage);
}

Membership holds(const std::string& text, std::vector<std::string> values) {
  return CohortExpression::parse(text).holds(values);
}

TEST(CohortExpression, ComparesNumbersAsNumbersAndTextsAsTexts) {
  EXPECT_EQ(holds("age > 75", {"8"}), Membership::kOut);
  EXPECT_EQ(holds("age > 75", {"75.5"}), Membership::kIn);
  EXPECT_EQ(holds("age <= 75", {"75"}), Membership::kIn);
  EXPECT_EQ(holds("sex = F", {"F"}), Membership::kIn);
  EXPECT_EQ(holds("sex != F", {"F"}), Membership::kOut);
  EXPECT_EQ(holds("code = 7", {"7.0"}), Membership::kIn);
  EXPECT_EQ(holds("code = '7'", {"7.0"}), Membership::kOut);
  EXPECT_EQ(holds("\"APOE4 carrier\"", {"true"}), Membership::kIn);
  EXPECT_EQ(holds("'APOE4 carrier' = true", {"false"}), Membership::kOut);
  EXPECT_EQ(holds(R"(height = '5''10"')", {R"(5'10")"}), Membership::kIn);
}

TEST(CohortExpression, JoinsByAndOrNotInTheirUsualOrder) {
  EXPECT_EQ(holds("a = 1 or b = 1 and c = 1", {"1", "0", "0"}), Membership::kIn);
  EXPECT_EQ(holds("(a = 1 or b = 1) and c = 1", {"1", "0", "0"}), Membership::kOut);
  EXPECT_EQ(holds("not a = 1 and b = 1", {"0", "1"}), Membership::kIn);
  EXPECT_EQ(holds("NOT (a OR b)", {"no", "0"}), Membership::kIn);
}

TEST(CohortExpression, WhatIsNotRecordedIsUnknownUnlessTheRestSettlesIt) {
  EXPECT_EQ(holds("age > 75", {""}), Membership::kUnknown);
  EXPECT_EQ(holds("not age > 75", {""}), Membership::kUnknown);
  EXPECT_EQ(holds("age > 75 or sex = F", {"", "F"}), Membership::kIn);
  EXPECT_EQ(holds("age > 75 and sex = F", {"", "M"}), Membership::kOut);
  EXPECT_EQ(holds("age > 75 and sex = F", {"", "F"}), Membership::kUnknown);
}

TEST(CohortExpression, ErrorsNameTheCharacter) {
  EXPECT_THAT(complaint("age >"), HasSubstr("character 6: a value is expected"));
  EXPECT_THAT(complaint("age >> 75"), HasSubstr("character 6: a value is expected"));
  EXPECT_THAT(complaint("age > old"), HasSubstr("character 7: \"old\" is not a number"));
  EXPECT_THAT(complaint("age ~ 75"), HasSubstr("character 5: =, !="));
  EXPECT_THAT(complaint("(age > 75"), HasSubstr("character 10: \")\" is expected"));
  EXPECT_THAT(complaint("age > 75 sex = F"), HasSubstr("character 10: \"and\", \"or\" or the end"));
  EXPECT_THAT(complaint("é = 'x"), HasSubstr("character 5: the quote that begins here"));
  EXPECT_THAT(complaint(""), HasSubstr("character 1: the name of a covariate"));
  EXPECT_THAT(complaint("agee > 75", {"age", "sex"}), HasSubstr("character 1: \"agee\" is not a covariate"));
  EXPECT_THAT(complaint("agee > 75", {"age", "sex"}), HasSubstr("did you mean \"age\"?"));
  EXPECT_THAT(complaint(std::string(3000, '(') + "a"), HasSubstr("too many parentheses"));
  EXPECT_THROW(holds("age > 75", {"old"}), Error);
}

TEST(Proportions, WilsonMatchesPublishedIntervals) {
  // Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
  const auto near = [](Estimate x, double low, double high) {
    EXPECT_NEAR(x.low, low, 5e-5);
    EXPECT_NEAR(x.high, high, 5e-5);
  };
  near(wilson(81, 263, 0.95), 0.2553, 0.3662);
  near(wilson(15, 148, 0.95), 0.0624, 0.1605);
  near(wilson(0, 20, 0.95), 0.0, 0.1611);
  near(wilson(1, 29, 0.95), 0.0061, 0.1718);
}

TEST(Proportions, FisherSumsTablesAtMostAsProbable) {
  EXPECT_NEAR(fisher_exact(3, 1, 1, 3), 34.0 / 70.0, 1e-12);  // the lady tasting tea, two-sided
  EXPECT_NEAR(fisher_exact(4, 0, 0, 4), 2.0 / 70.0, 1e-12);
  EXPECT_NEAR(fisher_exact(5, 5, 5, 5), 1.0, 1e-12);
  EXPECT_NEAR(fisher_exact(0, 3, 0, 7), 1.0, 1e-12);
}

TEST(Proportions, ClusteredVarianceOfEqualClustersIsThatOfTheirShares) {
  ClusterSums sums;
  const std::vector<double> shares = {0.0, 0.5, 1.0, 0.5, 0.0, 0.0};
  double mean = 0.0;
  for (const double x : shares) {
    sums.add(4.0 * x, 4.0);
    mean += x / 6.0;
  }
  double variance = 0.0;
  for (const double x : shares) variance += (x - mean) * (x - mean) / 5.0 / 6.0;
  EXPECT_NEAR(sums.share(), mean, 1e-15);
  EXPECT_NEAR(sums.variance(), variance, 1e-15);
  EXPECT_GT(clustered_interval(sums, 0.95).high, wilson(8, 24, 0.95).high);
}

CohortData some_data(int patients, std::uint64_t seed, double belated = 0.1) {
  CohortData data({"sex", "age", "site"});
  for (int i = 0; i < patients; ++i) {
    base::RandomStream random(seed, i);
    PatientFlags flags;
    flags.belated = random.uniform() < belated;
    flags.tests = static_cast<int>(4 * random.uniform());
    for (int t = 0; t < flags.tests; ++t) flags.uninformative += random.uniform() < 0.3 ? 1 : 0;
    const std::string age =
        random.uniform() < 0.05 ? "" : std::to_string(60 + static_cast<int>(30 * random.uniform()));
    data.add(flags, std::vector<std::string>{random.uniform() < 0.5 ? "F" : "M", age,
                                             std::to_string(static_cast<int>(4 * random.uniform()))});
  }
  return data;
}

std::vector<CohortExpression> parsed(const std::vector<std::string>& texts) {
  std::vector<CohortExpression> cohorts;
  cohorts.reserve(texts.size());
  for (const auto& text : texts) cohorts.push_back(CohortExpression::parse(text));
  return cohorts;
}

TEST(Cohorts, TablesMatchACountPatientByPatient) {
  const CohortData data = some_data(3000, 4);
  const std::vector<std::string> texts = {"sex = F", "sex = M", "age > 75 and sex = F", "site = 2"};
  const auto tables = cohort_tables(data, parsed(texts), {0, 0.95});
  const auto in = [&](std::size_t i, std::size_t c) {
    const bool known = !data.value(i, 1).empty();
    const bool female = data.value(i, 0) == "F";
    if (c == 0) return true;
    if (c == 1) return female;
    if (c == 2) return !female;
    if (c == 3) return known && female && std::stoi(data.value(i, 1)) > 75;
    return data.value(i, 2) == "2";
  };
  for (std::size_t c = 0; c < 5; ++c) {
    std::int64_t patients = 0, belated = 0, tests = 0, uninformative = 0, with = 0, all_belated = 0;
    for (std::size_t i = 0; i < data.patients(); ++i) {
      all_belated += data.flags(i).belated ? 1 : 0;
      if (!in(i, c)) continue;
      ++patients;
      belated += data.flags(i).belated ? 1 : 0;
      tests += data.flags(i).tests;
      uninformative += data.flags(i).uninformative;
      with += data.flags(i).uninformative > 0 ? 1 : 0;
    }
    const CohortRow& row = tables.rows[c];
    ASSERT_EQ(*row.patients, patients);
    ASSERT_EQ(row.flags[0]->flagged, belated);
    ASSERT_EQ(row.flags[1]->flagged, uninformative);
    ASSERT_EQ(row.flags[1]->total, tests);
    ASSERT_EQ(row.flags[2]->flagged, with);
    EXPECT_NEAR(row.of_flagged[0]->middle, static_cast<double>(belated) / all_belated, 1e-15);
    EXPECT_NEAR(row.flags[1]->share.middle, static_cast<double>(uninformative) / tests, 1e-15);
  }
  ASSERT_EQ(tables.means.size(), 1u);
  EXPECT_EQ(tables.means[0].covariate, "age");
  EXPECT_NEAR(tables.means[0].all->mean, 74.5, 1.0);
}

TEST(Proportions, StudentsTMatchesPublishedQuantiles) {
  EXPECT_NEAR(student_two_sided(12.706, 1.0), 0.05, 1e-5);
  EXPECT_NEAR(student_two_sided(-2.228, 10.0), 0.05, 2e-5);
  EXPECT_NEAR(student_two_sided(2.845, 20.0), 0.01, 1e-5);
  EXPECT_NEAR(student_two_sided(0.0, 7.0), 1.0, 1e-12);
  EXPECT_NEAR(student_two_sided(1.959964, 1e9), 0.05, 1e-6);
  EXPECT_NEAR(student_two_sided(1.959964, 9e6), 0.05, 1e-6);
}

TEST(Proportions, DrawsThatDisagreeWeakenATest) {
  const std::vector<ShareDifference> agree(20, {0.1, 0.0016});
  EXPECT_NEAR(*pooled_test(agree), std::erfc(2.5 / std::sqrt(2.0)), 1e-12);
  std::vector<ShareDifference> disagree = agree;
  for (std::size_t i = 0; i < 20; ++i) disagree[i].difference += i % 2 == 0 ? 0.05 : -0.05;
  // Rubin (1987): T = 0.0016 + 1.05 · 0.0025 · 20/19, ν = 19 (1 + 0.0016 / (T − 0.0016))².
  const double between = 1.05 * 0.0025 * 20.0 / 19.0;
  const double ratio = 1.0 + 0.0016 / between;
  EXPECT_NEAR(*pooled_test(disagree),
              student_two_sided(0.1 / std::sqrt(0.0016 + between), 19.0 * ratio * ratio), 1e-12);
  EXPECT_GT(*pooled_test(disagree), *pooled_test(agree));
  EXPECT_FALSE(pooled_test({}));
  EXPECT_FALSE(pooled_test({{0.0, 0.0}}));
}

TEST(Proportions, HolmStepsDown) {
  EXPECT_THAT(holm({0.01, 0.04, 0.03, 0.005}),
              ::testing::Pointwise(::testing::DoubleNear(1e-12), {0.03, 0.06, 0.06, 0.02}));
  EXPECT_THAT(holm({0.6, 0.9}), ::testing::Each(1.0));
  EXPECT_TRUE(holm({}).empty());
}

// Cohorts that are alike, in draws that agree or do not: how often one of eight seems to differ.
double false_alarms(double certain, bool adjusted) {
  constexpr int kSets = 200;
  int alarms = 0;
  for (int set = 0; set < kSets; ++set) {
    CohortData data({"site"});
    base::RandomStream random(11, set);
    // What a draw gets wrong it gets wrong for everybody at a site: flags hang on the same numbers.
    std::array<std::array<double, kImputations>, 8> share{};
    for (auto& site : share) {
      for (double& p : site) p = std::clamp(0.3 + (1.0 - certain) * 0.3 * random.normal(), 0.02, 0.98);
    }
    for (int i = 0; i < 800; ++i) {
      PatientFlags flags;
      flags.imputed = kImputations;
      const double u = random.uniform();
      for (int k = 0; k < kImputations; ++k) {
        if (u < share[i % 8][k]) flags.belated_in |= 1U << k;
      }
      flags.belated = (flags.belated_in & 1U) != 0;
      data.add(flags, std::vector<std::string>{fmt::format("s{}", i % 8)});
    }
    const auto tables = cohort_tables(data, default_cohorts(data, data.covariates()), {0, 0.95});
    bool any = false;
    for (std::size_t row = 1; row < tables.rows.size(); ++row) {
      const CohortShare& x = *tables.rows[row].flags[0];
      any |= (adjusted ? *x.p_adjusted : *x.p_value) < 0.05;
    }
    alarms += any ? 1 : 0;
  }
  return alarms / static_cast<double>(kSets);
}

TEST(Cohorts, ComparisonsCountHowManyThereAreAndHowUncertainFlagsAre) {
  EXPECT_GT(false_alarms(1.0, false), 0.15);  // eight comparisons at 5% each
  EXPECT_LT(false_alarms(1.0, true), 0.09);   // 5% and two standard errors
  EXPECT_LT(false_alarms(0.5, true), 0.09);
}

TEST(Cohorts, ACohortAndItsRestAreOneComparison) {
  const CohortData data = some_data(3000, 4);
  const auto adjusted = [&](const std::vector<std::string>& cohorts) {
    const CohortShare share = *cohort_tables(data, parsed(cohorts), {0, 0.95}).rows[1].flags[0];
    return *share.p_adjusted / *share.p_value;
  };
  EXPECT_NEAR(adjusted({"site = 2"}), 1.0, 1e-12);
  EXPECT_NEAR(adjusted({"sex = F", "sex = M"}), 1.0, 1e-9);
  EXPECT_NEAR(adjusted({"sex = F", "not sex = F", "sex != M"}), 1.0, 1e-9);
}

TEST(Cohorts, DefaultsAreLevelsOfCovariatesWithAFewValues) {
  const auto cohorts = default_cohorts(some_data(500, 4), std::vector<std::string>{"sex", "age", "site"});
  std::vector<std::string> texts;
  texts.reserve(cohorts.size());
  for (const auto& cohort : cohorts) texts.push_back(cohort.text());
  EXPECT_EQ(texts, (std::vector<std::string>{"sex = F", "sex = M", "site = \"0\"", "site = \"1\"",
                                             "site = \"2\"", "site = \"3\""}));
}

TEST(Cohorts, ValuesWithBothKindsOfQuotesHaveCohortsToo) {
  CohortData data({"height"});
  for (int i = 0; i < 40; ++i) data.add({}, std::vector<std::string>{i % 2 == 0 ? R"(5'10")" : "tall"});
  const auto tables = cohort_tables(data, default_cohorts(data, data.covariates()), {});
  EXPECT_EQ(tables.rows[1].patients, 20);
}

// An attacker who knows what cohorts mean and tries every table of whole numbers that gives what is
// published. `published[row]` are the flagged counts of the sets of a row; sizes of all parts are known to
// the attacker, which is more than is ever published.
std::set<std::int64_t> possible_values(const CohortParts& parts, const std::vector<char>& shown,
                                       const PartSet& secret) {
  const std::size_t P = parts.patients.size();
  const auto& flagged = parts.counts[0].flagged;
  std::vector<std::int64_t> guess(P, 0);
  std::set<std::int64_t> values;
  const auto fits = [&] {
    for (std::size_t row = 0; row < parts.sets.size(); ++row) {
      for (const PartSet& set : {parts.sets[row].in, parts.sets[row].out, parts.sets[row].unknown}) {
        std::int64_t truth = 0, tried = 0;
        for (std::size_t p = 0; p < P; ++p) {
          truth += set[p] ? flagged[p] : 0;
          tried += set[p] ? guess[p] : 0;
        }
        if (shown[row] && truth != tried) return false;
      }
    }
    return true;
  };
  const std::function<void(std::size_t)> fill = [&](std::size_t p) {
    if (p == P) {
      if (!fits()) return;
      std::int64_t value = 0;
      for (std::size_t i = 0; i < P; ++i) value += secret[i] ? guess[i] : 0;
      values.insert(value);
      return;
    }
    for (guess[p] = 0; guess[p] <= parts.patients[p]; ++guess[p]) fill(p + 1);
    guess[p] = 0;
  };
  fill(0);
  return values;
}

TEST(Suppression, NoSmallCountCanBeRecoveredByTryingEveryTable) {
  int withheld = 0;
  int published = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    // 24 to 40 patients in at most six parts; min_cell 3.
    CohortData data({"sex", "site"});
    const int patients = 24 + static_cast<int>(seed % 17);
    for (int i = 0; i < patients; ++i) {
      base::RandomStream random(seed, i, base::RandomPurpose(5));
      PatientFlags flags;
      flags.belated = random.uniform() < 0.35;
      data.add(flags, std::vector<std::string>{random.uniform() < 0.5 ? "F" : "M",
                                               std::to_string(static_cast<int>(3 * random.uniform()))});
    }
    const auto cohorts =
        parsed({"sex = F", "sex = M", "site = 0", "site = 1", "site = 2", "sex = F and site = 0"});
    const CohortOptions options{3, 0.95};
    const auto tables = cohort_tables(data, cohorts, options);
    const CohortParts parts = cut_into_parts(data, cohorts);
    std::vector<char> shown;
    for (const CohortRow& row : tables.rows) shown.push_back(row.flags[0].has_value() ? 1 : 0);
    for (const char x : shown) (x ? published : withheld) += 1;
    for (const auto& row : parts.sets) {
      for (const PartSet& set : {row.in, row.out, row.unknown}) {
        std::int64_t truth = 0;
        for (std::size_t p = 0; p < set.size(); ++p) truth += set[p] ? parts.counts[0].flagged[p] : 0;
        if (truth == 0 || truth >= options.min_cell) continue;
        EXPECT_GE(possible_values(parts, shown, set).size(), 2u) << seed;
      }
    }
  }
  EXPECT_GT(withheld, 40);
  EXPECT_GT(published, 40);
}

TEST(Suppression, TheAttackerOfTheseTestsSucceedsWithoutComplementarySuppression) {
  // Site 0 has two flagged patients. If only its row is withheld, the others give it away.
  CohortData data({"site"});
  const std::vector<std::pair<int, int>> sites = {{2, 10}, {6, 8}, {7, 7}};  // flagged, others
  for (int site = 0; site < 3; ++site) {
    for (int i = 0; i < sites[site].first + sites[site].second; ++i) {
      PatientFlags flags;
      flags.belated = i < sites[site].first;
      data.add(flags, std::vector<std::string>{std::to_string(site)});
    }
  }
  const auto cohorts = parsed({"site = 0", "site = 1", "site = 2"});
  const CohortParts parts = cut_into_parts(data, cohorts);
  const PartSet& secret = parts.sets[1].in;
  EXPECT_EQ(possible_values(parts, {1, 0, 1, 1}, secret), (std::set<std::int64_t>{2}));
  const auto tables = cohort_tables(data, cohorts, {3, 0.95});
  EXPECT_TRUE(tables.rows[0].flags[0]);
  EXPECT_FALSE(tables.rows[1].flags[0]);
  EXPECT_FALSE(tables.rows[2].flags[0] && tables.rows[3].flags[0]);
  EXPECT_TRUE(tables.withheld);
}

TEST(Suppression, NestedCutOffsDoNotGiveAwayTheDifference) {
  CohortData data({"age"});
  for (int i = 0; i < 400; ++i) {
    PatientFlags flags;
    flags.belated = i % 4 == 0;
    data.add(flags, std::vector<std::string>{std::to_string(50 + i % 40)});
  }
  // 20 ages from 70 on, ten patients at each, two or three of them flagged: 70 alone is a small group.
  const auto tables = cohort_tables(data, parsed({"age >= 70", "age > 70"}), {11, 0.95});
  EXPECT_FALSE(tables.rows[1].flags[0] && tables.rows[2].flags[0]);
  EXPECT_FALSE(tables.rows[1].patients && tables.rows[2].patients);
}

TEST(Suppression, AFewPatientsWithoutAValueCostTheComparisonNotTheRow) {
  CohortData data({"age"});
  for (int i = 0; i < 400; ++i) {
    PatientFlags flags;
    flags.belated = i % 3 == 0;
    data.add(flags, std::vector<std::string>{i < 5 ? "" : i % 2 == 0 ? "80" : "60"});
  }
  const auto tables = cohort_tables(data, parsed({"age > 75"}), {11, 0.95});
  ASSERT_TRUE(tables.rows[1].flags[0]);
  EXPECT_FALSE(tables.rows[1].flags[0]->p_value);
}

TEST(Suppression, NothingIsWithheldWhereEveryCountIsLargeOrIfNotAskedFor) {
  EXPECT_FALSE(cohort_tables(some_data(4000, 8, 0.3), parsed({"sex = F", "sex = M"}), {11, 0.95}).withheld);
  const auto tables = cohort_tables(some_data(30, 8), parsed({"sex = F", "site = 1"}), {0, 0.95});
  EXPECT_FALSE(tables.withheld);
  EXPECT_TRUE(tables.rows[2].flags[0]);
}

TEST(Suppression, OnePatientWithManyTestsIsStillOnePatient) {
  CohortData data({"sex"});
  for (int i = 0; i < 200; ++i) {
    PatientFlags flags;
    flags.tests = 20;
    flags.uninformative = i < 2 ? 15 : 0;  // thirty flagged tests, two patients
    data.add(flags, std::vector<std::string>{i % 2 == 0 ? "F" : "M"});
  }
  const auto tables = cohort_tables(data, parsed({"sex = F"}), {11, 0.95});
  EXPECT_FALSE(tables.rows[0].flags[static_cast<int>(FlagKind::kUninformativeTests)]);
  EXPECT_FALSE(tables.rows[1].flags[static_cast<int>(FlagKind::kUninformativeTests)]);
}

// 60 patients, 30 of them flagged; ages are recorded of these and of some of the others.
CohortTables tables_of_ages(int others_with_age, std::int64_t min_cell) {
  CohortData data({"age"});
  for (int i = 0; i < 60; ++i) {
    PatientFlags flags;
    flags.belated = i < 30;
    const bool known = i < 30 + others_with_age;
    data.add(flags, std::vector<std::string>{known ? std::to_string(41 + i) : ""});
  }
  return cohort_tables(data, {}, {min_cell, 0.95});
}

TEST(Suppression, AMeanIsWithheldIfItsDifferenceToAllIsThatOfAFew) {
  EXPECT_TRUE(tables_of_ages(20, 11).means[0].flagged[0]);
  EXPECT_FALSE(tables_of_ages(5, 11).means[0].flagged[0]);
  EXPECT_TRUE(tables_of_ages(5, 11).means[0].all);
  EXPECT_TRUE(tables_of_ages(5, 0).means[0].flagged[0]);
}

TEST(Suppression, MeansHaveNoDigitsThatTellOverHowMany) {
  const CohortMean mean =
      tables_of_ages(20, 11).means[0];  // 41 … 90: 65.5 ± 14.58; flagged 41 … 70: 55.5 ± 8.80
  EXPECT_NEAR(mean.all->mean, 66.0, 1e-9);
  EXPECT_NEAR(mean.all->sd, 15.0, 1e-9);
  EXPECT_NEAR(mean.flagged[0]->mean, 55.5, 1e-9);
  EXPECT_NEAR(mean.flagged[0]->sd, 8.8, 1e-9);
  EXPECT_NEAR(tables_of_ages(20, 0).means[0].all->mean, 65.5, 1e-9);
}

TEST(Suppression, AMeanOfOneValueTellsEverybodysAndIsWithheld) {
  CohortData data({"age"});
  for (int i = 0; i < 60; ++i) {
    PatientFlags flags;
    flags.belated = i < 30;
    data.add(flags, std::vector<std::string>{i < 30 ? "70" : std::to_string(i)});
  }
  EXPECT_FALSE(cohort_tables(data, {}, {11, 0.95}).means[0].flagged[0]);
  EXPECT_TRUE(cohort_tables(data, {}, {0, 0.95}).means[0].flagged[0]);
}

// 12 flagged patients with ages from 60 to 61.1: at two digits of the deviation, 0.36, half of all numbers of
// patients would be impossible.
TEST(Suppression, AMeanIsCoarserWhereFewValuesAreBehindIt) {
  CohortData data({"age"});
  for (int i = 0; i < 60; ++i) {
    PatientFlags flags;
    flags.belated = i < 12;
    data.add(flags, std::vector<std::string>{i < 12 ? fmt::format("{}", 60 + i / 6) : std::to_string(i)});
  }
  const CohortMean::Moments mean = *cohort_tables(data, {}, {11, 0.95}).means[0].flagged[0];
  EXPECT_EQ(mean.mean, std::round(mean.mean));
}

// 40 patients at a, 30 at b and `few` at c, and `none` at no site; of each site half are men.
CohortData some_sites(int few, int none) {
  CohortData data({"sex"});
  const auto add = [&](int patients, const char* site) {
    for (int i = 0; i < patients; ++i) data.add({}, std::vector<std::string>{i % 2 == 0 ? "F" : "M"}, site);
  };
  add(40, "a");
  add(30, "b");
  add(few, "c");
  add(none, "");
  return data;
}

int shown_groups(const CohortTables& tables) {
  int shown = 0;
  for (const GroupSize& group : tables.groups) shown += group.patients ? 1 : 0;
  return shown;
}

TEST(Suppression, SizesOfGroupsDoNotGiveAwayThoseWhoAreInNone) {
  EXPECT_EQ(shown_groups(cohort_tables(some_sites(24, 0), {}, {11, 0.95})), 3);
  EXPECT_EQ(shown_groups(cohort_tables(some_sites(24, 22), {}, {11, 0.95})), 3);
  EXPECT_LT(shown_groups(cohort_tables(some_sites(24, 3), {}, {11, 0.95})), 3);
  const CohortTables left_out = cohort_tables(some_sites(5, 0), {}, {11, 0.95});
  EXPECT_EQ(left_out.groups.size(), 2u);
  EXPECT_LT(shown_groups(left_out), 2);
  EXPECT_EQ(shown_groups(cohort_tables(some_sites(5, 0), {}, {0, 0.95})), 3);
}

// Cohorts that are the groups under other names: 70 of 78 patients are at a or b, so 8 are not.
TEST(Suppression, SizesOfGroupsDoNotGiveAwayCohorts) {
  CohortData data({"site"});
  for (int i = 0; i < 78; ++i) {
    const std::string site = i < 40 ? "a" : i < 70 ? "b" : "c";
    data.add({}, std::vector<std::string>{site}, i < 70 ? site : "c");
  }
  const CohortTables tables = cohort_tables(data, parsed({"site = b"}), {11, 0.95});
  const bool a = tables.groups[0].patients.has_value();
  const bool b = tables.groups[1].patients.has_value() || tables.rows[1].patients.has_value();
  EXPECT_FALSE(a && b && tables.rows[0].patients);
}

TEST(Suppression, WhatWasPublishedBeforeIsNotGivenAwayByWhatComesNow) {
  CohortData data({"age"});
  for (int i = 0; i < 400; ++i) data.add({}, std::vector<std::string>{std::to_string(50 + i % 40)});
  const auto first = cohort_tables(data, parsed({"age >= 70"}), {11, 0.95});
  EXPECT_TRUE(first.rows[1].patients);
  EXPECT_TRUE(cohort_tables(data, parsed({"age > 70"}), {11, 0.95}).rows[1].patients);
  const auto second = cohort_tables(data, parsed({"age > 70"}), {11, 0.95, published_by(first)});
  EXPECT_FALSE(second.rows[1].patients);  // ten are 70
  ASSERT_EQ(second.rows.size(), 2u);
  EXPECT_EQ(second.rows[1].name, "age > 70");
}

TEST(Suppression, SaysSoIfWhatIsPublishedGivesAwayACohort) {
  CohortData data({"age"});
  for (int i = 0; i < 400; ++i) data.add({}, std::vector<std::string>{std::to_string(50 + i % 40)});
  // Two tables that nobody looked at together: ten are 70.
  std::vector<PublishedCohort> published(2);
  published[0].cohort = "age >= 70";
  published[1].cohort = "age > 70";
  published[0].patients = published[1].patients = true;
  EXPECT_THAT(base::complaint_of([&] {
                cohort_tables(data, parsed({"age > 80"}), {11, 0.95, published});
              }),
              HasSubstr("what was published before gives away a count from 1 to 10"));
}

TEST(Suppression, ARareCategoryOfTheStudyIsNotNamed) {
  CohortData data({"genotype"});
  for (int i = 0; i < 200; ++i)
    data.add({}, std::vector<std::string>{i < 4 ? "rare" : i % 2 == 0 ? "one" : "two"});
  CohortTables tables = cohort_tables(data, default_cohorts(data, data.covariates()), {11, 0.95});
  ASSERT_EQ(tables.rows.size(), 4u);
  leave_out_unnameable(tables);
  for (const CohortRow& row : tables.rows) EXPECT_NE(row.name, "genotype = rare");
  EXPECT_LT(tables.rows.size(), 4u);
}

}  // namespace
}  // namespace interpole::explain
