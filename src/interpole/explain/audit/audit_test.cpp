#include "interpole/explain/audit/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/belief.hpp"
#include "interpole/counterfactual.hpp"
#include "interpole/environments/adni/adni.hpp"
#include "interpole/error.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

using ::testing::HasSubstr;

struct Cohort {
  Environment environment = adni();
  Study study;
  OutcomeFactors factors;
  std::vector<Record> records;
  HistoryTree tree;
};

Cohort adni_cohort(int patients, std::uint64_t seed) {
  Cohort cohort;
  cohort.study.structure = cohort.environment.truth.structure;
  cohort.factors = outcome_factors(cohort.study);
  for (int i = 1; i <= patients; ++i) {
    cohort.records.push_back(simulate_record(cohort.environment, seed, i, 3 + i % 8));
    if (i % 7 == 0) cohort.records.back().steps.back().observation = kMissing;
    if (i % 11 == 0 && cohort.records.back().steps.size() > 2) {
      cohort.records.back().steps[1].observation = kMissing;
    }
  }
  cohort.tree = build_history_tree(2, cohort.records);
  return cohort;
}

// Both criteria, word for word, one record after another and without the tree.
struct Plain {
  std::vector<std::vector<double>> beliefs;  // before each visit, and after the last
  bool belated = false;
  bool clearly_belated = false;  // a test was likelier than nothing by the margin
  std::vector<int> uninformative;
  int tests = 0;
};

double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double square = 0.0;
  for (std::size_t s = 0; s < x.size(); ++s) square += (x[s] - y[s]) * (x[s] - y[s]);
  return std::sqrt(square);
}

std::vector<Plain> plain_audit(const Cohort& cohort, const Parameters& agent, double certain, double sds) {
  const Structure& structure = cohort.study.structure;
  std::vector<Plain> result;
  std::vector<double> moves;
  for (const Record& record : cohort.records) {
    Plain plain;
    plain.beliefs.push_back(agent.dynamics.initial);
    for (const Step& step : record.steps) {
      std::vector<double> next(3);
      update_belief(structure, agent.dynamics, step.action, step.observation, plain.beliefs.back(), next);
      if (step.observation != kMissing) moves.push_back(apart(next, plain.beliefs.back()));
      plain.beliefs.push_back(next);
    }
    result.push_back(plain);
  }
  double mean = 0.0;
  for (const double m : moves) mean += m / moves.size();
  double variance = 0.0;
  for (const double m : moves) variance += (m - mean) * (m - mean) / moves.size();
  const double least = mean - sds * std::sqrt(variance);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& steps = cohort.records[i].steps;
    Plain& plain = result[i];
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto pi = action_probabilities(structure, agent.policy, plain.beliefs[t]);
      const double lead = pi[environments::kMri] - pi[environments::kNoMri];
      for (std::size_t u = t + 1; u < steps.size() && steps[t].action == environments::kNoMri && lead > 0.0;
           ++u) {
        if (steps[u].action != environments::kMri || steps[u].observation == kMissing) continue;
        for (const double b : plain.beliefs[u + 1]) {
          plain.belated |= b >= certain;
          plain.clearly_belated |= b >= certain && lead >= AuditOptions{}.clearly;
        }
      }
      if (steps[t].action != environments::kMri || steps[t].observation == kMissing) continue;
      ++plain.tests;
      bool significant = false;
      for (int volume = 0; volume < 3; ++volume) {
        std::vector<double> next(3);
        update_belief(structure, agent.dynamics, environments::kMri,
                      environments::adni_outcome(environments::cdr_of(steps[t].observation), volume),
                      plain.beliefs[t], next);
        significant |= apart(next, plain.beliefs[t]) >= least;
      }
      if (!significant) plain.uninformative.push_back(static_cast<int>(t));
    }
  }
  return result;
}

std::vector<int> uninformative_visits(const RecordAudit& audit) {
  std::vector<int> visits;
  for (const auto& test : audit.tests) {
    if (test.uninformative) visits.push_back(test.visit);
  }
  return visits;
}

TEST(Audit, MatchesTheDefinitionsAppliedRecordByRecord) {
  const Cohort cohort = adni_cohort(800, 5);
  AuditOptions options;
  for (const auto& [certain, sds] : {std::pair{0.9, 0.5}, {0.75, 0.0}, {0.97, 0.3}}) {
    options.near_certain = certain;
    options.insignificant = sds;
    const AuditRules rules = audit_rules(cohort.study.structure, cohort.factors, options);
    const Audit audit(cohort.tree, cohort.environment.truth, {}, rules, options);
    const auto expected = plain_audit(cohort, cohort.environment.truth.agent, certain, sds);
    int belated = 0;
    int uninformative = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const RecordAudit found = audit.of(cohort.records[i].steps);
      EXPECT_EQ(found.belated, expected[i].belated) << i;
      EXPECT_EQ(uninformative_visits(found), expected[i].uninformative) << i;
      EXPECT_EQ(static_cast<int>(found.tests.size()), expected[i].tests);
      EXPECT_FALSE(found.belated_probability);
      belated += found.belated ? 1 : 0;
      uninformative += static_cast<int>(expected[i].uninformative.size());
    }
    EXPECT_GT(belated, 5);
    EXPECT_GT(uninformative, 5);
  }
}

TEST(Audit, EveryBelatedFlagNamesTheVisitsBehindIt) {
  const Cohort cohort = adni_cohort(800, 6);
  const AuditOptions options;
  const AuditRules rules = audit_rules(cohort.study.structure, cohort.factors, options);
  const Audit audit(cohort.tree, cohort.environment.truth, {}, rules, options);
  const auto plain = plain_audit(cohort, cohort.environment.truth.agent, 0.9, 0.5);
  for (std::size_t i = 0; i < cohort.records.size(); ++i) {
    const RecordAudit found = audit.of(cohort.records[i].steps);
    ASSERT_EQ(found.belated, !found.left_out.empty());
    ASSERT_EQ(found.belated, found.confirmed >= 0);
    if (!found.belated) continue;
    EXPECT_LT(found.left_out.back(), found.confirmed);
    EXPECT_EQ(cohort.records[i].steps[found.confirmed].action, environments::kMri);
    const auto& after = plain[i].beliefs[found.confirmed + 1];
    EXPECT_GE(*std::max_element(after.begin(), after.end()), 0.9);
    for (const int t : found.left_out) EXPECT_EQ(cohort.records[i].steps[t].action, environments::kNoMri);
  }
}

TEST(Audit, ProbabilityIsTheShareOfDrawsInWhichTheFlagClearlyStands) {
  const Cohort cohort = adni_cohort(300, 7);
  std::vector<AgentWorld> draws;
  for (int i = 0; i < 12; ++i) {
    base::RandomStream random(9, i);
    AgentWorld draw{cohort.environment.truth.agent, {}};
    for (double& m : draw.agent.policy.means) m += 0.1 * random.normal();
    for (std::size_t a = 0; a < 2; ++a) {
      double& last = draw.agent.policy.means[a * 3 + 2];
      last = 1.0 - draw.agent.policy.means[a * 3] - draw.agent.policy.means[a * 3 + 1];
    }
    draws.push_back(draw);
  }
  AuditOptions options;
  const AuditRules rules = audit_rules(cohort.study.structure, cohort.factors, options);
  const Audit usual(cohort.tree, cohort.environment.truth, draws, rules, options);
  options.certainty = 0.0;
  const Audit audit(cohort.tree, cohort.environment.truth, draws, rules, options);
  options.threads = 3;
  const Audit threaded(cohort.tree, cohort.environment.truth, draws, rules, options);
  EXPECT_EQ(audit.draws(), 12);
  std::vector<double> expected(cohort.records.size(), 0.0);
  std::vector<double> however_clearly(cohort.records.size(), 0.0);
  for (const AgentWorld& draw : draws) {
    const auto plain = plain_audit(cohort, draw.agent, 0.9, 0.5);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      expected[i] += plain[i].clearly_belated ? 1.0 / 12.0 : 0.0;
      however_clearly[i] += plain[i].belated ? 1.0 / 12.0 : 0.0;
    }
  }
  EXPECT_NE(expected, however_clearly);
  int between = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const RecordAudit found = audit.of(cohort.records[i].steps);
    EXPECT_NEAR(*found.belated_probability, expected[i], 1e-6);
    EXPECT_EQ(found.belated_probability, threaded.of(cohort.records[i].steps).belated_probability);
    if (expected[i] > 0.05 && expected[i] < 0.95) ++between;
    const RecordAudit sure = usual.of(cohort.records[i].steps);  // a flag counts if it is 90% certain
    EXPECT_EQ(sure.belated, found.belated && *found.belated_probability >= 0.9);
    const ImputedFlags imputed = audit.imputed(cohort.records[i].steps);
    EXPECT_EQ(imputed.uninformative.size(), 12u);
    EXPECT_NEAR(std::popcount(imputed.belated) / 12.0, however_clearly[i], 1e-6);
    EXPECT_EQ(imputed.belated, threaded.imputed(cohort.records[i].steps).belated);
    EXPECT_EQ(imputed.uninformative, threaded.imputed(cohort.records[i].steps).uninformative);
    double tests = 0.0;
    for (const auto& test : found.tests) tests += *test.probability;
    double in_draws = 0.0;
    for (const int n : imputed.uninformative) in_draws += n / 12.0;
    EXPECT_NEAR(tests, in_draws, 1e-5);
  }
  EXPECT_GT(between, 3);
}

TEST(Audit, WithoutDrawsEveryFlagOfTheModelStandsAndNobodyKnowsHowSurely) {
  const Cohort cohort = adni_cohort(300, 7);
  const AuditRules rules = audit_rules(cohort.study.structure, cohort.factors, {});
  const Audit audit(cohort.tree, cohort.environment.truth, {}, rules, {});
  const auto plain = plain_audit(cohort, cohort.environment.truth.agent, 0.9, 0.5);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const RecordAudit found = audit.of(cohort.records[i].steps);
    EXPECT_EQ(found.belated, plain[i].belated);
    EXPECT_FALSE(found.belated_probability);
    EXPECT_TRUE(audit.imputed(cohort.records[i].steps).uninformative.empty());
  }
}

TEST(AuditRules, FindTheTestByWhatItMeasures) {
  const Cohort cohort = adni_cohort(1, 1);
  const AuditRules rules = audit_rules(cohort.study.structure, cohort.factors, {});
  EXPECT_EQ(rules.tests(), std::vector<int>{environments::kMri});
  EXPECT_TRUE(rules.no_belated.empty());
  // The CDR-SB would have been seen anyway; the volume varies.
  EXPECT_EQ(rules.instead[12 + environments::adni_outcome(1, 2)],
            (std::vector<int>{environments::adni_outcome(1, 0), environments::adni_outcome(1, 1),
                              environments::adni_outcome(1, 2)}));
}

TEST(AuditRules, SayWhatCannotBeJudgedWhereDeclarationsEndTheRecord) {
  const Study study = testing::bias_study();
  const AuditRules rules = audit_rules(study.structure, outcome_factors(study), {});
  EXPECT_EQ(rules.tests(), std::vector<int>{0});
  EXPECT_THAT(rules.no_belated, HasSubstr("ends the record"));
  EXPECT_TRUE(rules.no_uninformative.empty());
  EXPECT_EQ(rules.instead[1], (std::vector<int>{0, 1}));
}

TEST(AuditRules, RefuseTestsThatAreNone) {
  const Study study = testing::bias_study();
  const auto message = [&](const std::string& name) {
    AuditOptions options;
    options.tests = {name};
    return base::complaint_of([&] { audit_rules(study.structure, outcome_factors(study), options); },
                              ErrorKind::kUsage);
  };
  EXPECT_THAT(message("monitr"), HasSubstr("did you mean \"monitor\"?"));
  EXPECT_THAT(message("declare-healthy"), HasSubstr("ends a record"));
  AuditOptions options;
  options.near_certain = 1.5;
  EXPECT_THROW(options.validate(), Error);
}

TEST(BenjaminiHochberg, AcceptsTheLargestRankThatStays) {
  // Textbook order: 0.01 ≤ 0.0125, 0.02 ≤ 0.025, 0.04 > 0.0375, 0.045 ≤ 0.05: all four.
  EXPECT_EQ(benjamini_hochberg_cut({{0.04, 1}, {0.01, 1}, {0.045, 1}, {0.02, 1}}, 0.05), 0.045);
  EXPECT_EQ(benjamini_hochberg_cut({{0.04, 1}, {0.01, 1}, {0.06, 1}, {0.02, 1}}, 0.05), 0.02);
  EXPECT_EQ(benjamini_hochberg_cut({{0.5, 3}, {0.2, 1}}, 0.05), 0.0);
  // Two records with one p-value count as two.
  EXPECT_EQ(benjamini_hochberg_cut({{0.03, 2}, {0.9, 1}}, 0.05), 0.03);
  EXPECT_EQ(benjamini_hochberg_cut({}, 0.05), 0.0);
}

TEST(UnlikelyRecords, TailsAreUniformForRecordsOfTheModelItself) {
  const Cohort cohort = adni_cohort(2000, 11);
  const UnlikelyRecords unlikely(cohort.tree, cohort.environment.truth, {});
  int below = 0;
  int named = 0;
  for (const Record& record : cohort.records) {
    const RecordEnd end = end_of(cohort.tree, record.steps);
    below += *unlikely.tail(end) <= 0.1 ? 1 : 0;
    named += unlikely.is_unlikely(end) ? 1 : 0;
  }
  // 10% of 2,000 with standard deviation 13; discreteness makes it fewer, never more.
  EXPECT_LT(below, 240);
  EXPECT_GT(below, 100);
  EXPECT_LE(named, 2);
}

TEST(UnlikelyRecords, FindRecordsThatDoTheOppositeOfThePolicy) {
  Cohort cohort = adni_cohort(1000, 12);
  Environment opposite = cohort.environment;
  for (int s = 0; s < 3; ++s) {
    std::swap(opposite.truth.agent.policy.means[s], opposite.truth.agent.policy.means[3 + s]);
  }
  for (int i = 0; i < 40; ++i) cohort.records[i] = simulate_record(opposite, 99, i + 1, 12);
  cohort.tree = build_history_tree(2, cohort.records);
  const UnlikelyRecords unlikely(cohort.tree, cohort.environment.truth, {});
  int found = 0;
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool named = unlikely.is_unlikely(end_of(cohort.tree, cohort.records[i].steps));
    (i < 40 ? found : wrong) += named ? 1 : 0;
  }
  EXPECT_GT(found, 10);
  EXPECT_LE(wrong, 4);
}

TEST(UnlikelyRecords, ComparesEndedRecordsWithEndedOnes) {
  Model model{testing::bias_study().structure, testing::bias_parameters(), {}};
  auto records = testing::random_records(model.structure, model.agent, 500, 60, 3, 0.0);
  // Declared healthy after three positive results.
  records.push_back({"odd", {{0, 1}, {0, 1}, {0, 1}, {1, kMissing}}});
  const auto tree = build_history_tree(3, records);
  const UnlikelyRecords unlikely(tree, model, {});
  EXPECT_TRUE(unlikely.is_unlikely(end_of(tree, records.back().steps)));
  int named = 0;
  for (const Record& record : records) named += unlikely.is_unlikely(end_of(tree, record.steps)) ? 1 : 0;
  EXPECT_LE(named, 3);
}

}  // namespace
}  // namespace interpole::explain
