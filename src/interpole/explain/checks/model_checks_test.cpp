#include "interpole/model_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/environment.hpp"
#include "interpole/estimate.hpp"
#include "interpole/explain/checks/category_sites.hpp"
#include "interpole/explain/checks/fitted_directions.hpp"
#include "interpole/inference/oracle_testing.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/learn/result/fit_result.hpp"
#include "interpole/simulate.hpp"

namespace interpole::explain {
namespace {

std::vector<Record> records_of(const Environment& environment, int patients, std::uint64_t seed) {
  std::vector<Record> records;
  simulate(environment, {.patients = patients, .seed = seed},
           [&](const Record& record) { records.push_back(record); });
  return records;
}

FitResult shared_fit(const Structure& structure, const HistoryTree& tree) {
  learn::FitOptions options;
  options.dynamics = DynamicsMode::kShared;
  options.restarts = 2;
  return learn::result_of(learn::fit(tree, DecisionProblem::open(structure), options, quiet_sink()), "{}");
}

std::vector<std::string> failed_names(const ModelChecks& checks) {
  std::vector<std::string> names;
  for (const ModelCheck* check : checks.failed()) names.push_back(check->name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const ModelCheck& check_named(const ModelChecks& checks, const std::string& name) {
  return *std::find_if(checks.checks.begin(), checks.checks.end(),
                       [&](const ModelCheck& check) { return check.name == name; });
}

TEST(ModelChecks, AreSilentWhereTheModelIsTheTruth) {
  const Environment ward = plain_ward();
  FitResult truth;
  truth.model = ward.truth;
  int alarms = 0;
  std::vector<double> chances;
  constexpr int kSets = 100;
  for (int set = 0; set < kSets; ++set) {
    const HistoryTree tree = build_history_tree(3, records_of(ward, 300, 100 + set));
    const ModelChecks checks = check_model(truth, tree);
    alarms += checks.failed().empty() ? 0 : 1;
    for (const ModelCheck& check : checks.checks) chances.push_back(check.p_value);
  }
  EXPECT_LE(alarms, 3);  // one in two hundred expected
  const auto below = [&](double p) {
    return std::count_if(chances.begin(), chances.end(), [&](double x) { return x < p; }) /
           static_cast<double>(chances.size());
  };
  EXPECT_NEAR(below(0.5), 0.5, 0.07);
  EXPECT_NEAR(below(0.1), 0.1, 0.04);
}

TEST(ModelChecks, NoticeHabitAndSayHowOftenActionsAreRepeated) {
  Environment ward = plain_ward();
  ward.truth.agent.policy.terms.inertia = 0.4;
  const HistoryTree tree = build_history_tree(3, records_of(ward, 600, 1));
  const ModelChecks checks = check_model(shared_fit(ward.truth.structure, tree), tree);
  EXPECT_TRUE(has(failed_names(checks), "repeats"));
  const ModelCheck& repeats = check_named(checks, "repeats");
  EXPECT_GT(repeats.most.observed, repeats.most.high);
  EXPECT_NE(repeats.sentence.find("the same is chosen again"), std::string::npos) << repeats.sentence;
  EXPECT_NE(repeats.sentence.find("habit"), std::string::npos) << repeats.sentence;
}

// Who decides saw every result; what the table lost is an outcome of its own, more often of the ill.
TEST(ModelChecks, NoticeThatResultsAreKnownWhichTheTableLost) {
  const Environment ward = plain_ward();
  constexpr int kLost = 2;
  std::vector<Record> records;
  for (int i = 1; i <= 1000; ++i) {
    std::vector<int> states;
    records.emplace_back();
    simulate_record(ward, 3, i, 0, records.back(), &states);
    base::RandomStream random(3, i, base::RandomPurpose::kBootstrap);
    for (std::size_t t = 0; t < records.back().steps.size(); ++t) {
      Step& step = records.back().steps[t];
      const double chance = states[t] == 0 ? 0.1 : 0.5;
      if (step.observation != kMissing && random.uniform() < chance) step.observation = kLost;
    }
  }
  Structure structure = Structure::unrestricted(ward.truth.structure.states, ward.truth.structure.actions,
                                                {"normal", "abnormal", "lost"});
  structure.make_terminal(2);
  structure.not_recorded = kLost;
  const HistoryTree tree = build_history_tree(3, records);
  const ModelChecks checks = check_model(shared_fit(structure, tree), tree);
  EXPECT_TRUE(has(failed_names(checks), "missing-results"));
  const ModelCheck& check = check_named(checks, "missing-results");
  EXPECT_NE(check.sentence.find("results may be known to those who decide"), std::string::npos);
}

TEST(ModelChecks, NoticeTwoKindsOfDecisionMakers) {
  Environment quick = plain_ward();
  Environment slow = plain_ward();
  quick.truth.agent.policy.means = {1.15, -0.15, 0.85, 0.15, 0.35, 0.65};
  slow.truth.agent.policy.means = {0.75, 0.25, 0.3, 0.7, -0.2, 1.2};
  std::vector<Record> records;
  const auto of_quick = records_of(quick, 400, 1);
  const auto of_slow = records_of(slow, 400, 2);
  for (int i = 0; i < 400; ++i) {
    records.push_back(of_quick[i]);
    records.push_back(of_slow[i]);
  }
  const HistoryTree tree = build_history_tree(3, records);
  const auto failed = failed_names(check_model(shared_fit(quick.truth.structure, tree), tree));
  EXPECT_TRUE(has(failed, "records"));
  EXPECT_FALSE(has(failed, "order"));
}

TEST(ModelChecks, NoticeADriftFromTheFirstRecordToTheLast) {
  std::vector<Record> records;
  Environment ward = plain_ward();
  for (int i = 1; i <= 800; ++i) {
    const double x = i / 800.0 - 0.5;
    ward.truth.agent.policy.means = {1 - x, x, 0.6 - x, 0.4 + x, -x, 1 + x};
    records.push_back(simulate_record(ward, 1, i));
  }
  const HistoryTree tree = build_history_tree(3, records);
  const FitResult fit = shared_fit(ward.truth.structure, tree);
  EXPECT_TRUE(has(failed_names(check_model(fit, tree)), "order"));
}

TEST(ModelChecks, NoticeACovariateThatDecisionsFollow) {
  Environment ward = plain_ward();
  std::vector<Record> records = records_of(ward, 400, 1);
  for (Record& record : records) record.covariates = {0.0};
  ward.truth.agent.policy.means = {0.75, 0.25, 0.3, 0.7, -0.2, 1.2};
  for (Record& record : records_of(ward, 400, 2)) {
    record.covariates = {1.0};
    records.push_back(std::move(record));
  }
  const HistoryTree tree = build_history_tree(3, records);
  ModelCheckOptions options;
  options.covariates = {{"site", {"north", "south"}}};
  const ModelChecks checks = check_model(shared_fit(ward.truth.structure, tree), tree, options);
  EXPECT_TRUE(has(failed_names(checks), "covariate site"));
  EXPECT_NE(check_named(checks, "covariate site").sentence.find("here \"site\" is \""), std::string::npos);
}

TEST(ModelChecks, AreTheSameToTheLastBitForAnyNumberOfThreads) {
  const Environment ward = plain_ward();
  const HistoryTree tree = build_history_tree(3, records_of(ward, 200, 5));
  const FitResult fit = shared_fit(ward.truth.structure, tree);
  ModelCheckOptions one;
  one.threads = 1;
  ModelCheckOptions three;
  three.threads = 3;
  const ModelChecks x = check_model(fit, tree, one);
  const ModelChecks y = check_model(fit, tree, three);
  ASSERT_EQ(x.checks.size(), y.checks.size());
  for (std::size_t i = 0; i < x.checks.size(); ++i) {
    EXPECT_EQ(x.checks[i].statistic, y.checks[i].statistic);
    EXPECT_EQ(x.checks[i].most.low, y.checks[i].most.low);
  }
}

// What fitting takes away is how expectations vary over the posterior.
// The same fit, said to be as sure as its checks allow: the numbers of a fit that lacks a habit, and of one
// that lacks nothing.
TEST(WidenedByMisfit, IsWiderOnlyWhereChecksProveMisfit) {
  const auto width = [](const FitResult& fit) {
    std::vector<double> values;
    for (const AgentWorld& draw : fit.draws(400, 1)) values.push_back(draw.agent.dynamics.observation[4]);
    const Estimate interval = estimate_of(std::move(values), 0.9);
    return interval.high - interval.low;
  };
  for (const double inertia : {0.0, 0.3}) {
    Environment ward = plain_ward();
    ward.truth.agent.policy.terms.inertia = inertia;
    const HistoryTree tree = build_history_tree(3, records_of(ward, 400, 5));
    const FitResult fit = shared_fit(ward.truth.structure, tree);
    const ModelChecks checks = check_model(fit, tree);
    const FitResult widened = widened_by_misfit(fit, checks);
    EXPECT_EQ(widened.model, fit.model);
    if (inertia > 0.0) {
      EXPECT_GT(checks.misfit, 1.0);
      EXPECT_GT(width(widened), 1.3 * width(fit));
    } else {
      EXPECT_EQ(checks.misfit, 0.0);
      EXPECT_EQ(width(widened), width(fit));
    }
    // Checks ask of the fit, not of what they made of it.
    EXPECT_EQ(check_model(widened, tree).misfit, checks.misfit);
  }
}

TEST(FittedDirections, SpanTheVarianceOverPosteriorDraws) {
  const Environment ward = plain_ward();
  const HistoryTree tree = build_history_tree(3, records_of(ward, 1000, 3));
  const FitResult fit = shared_fit(ward.truth.structure, tree);
  const DecisionSites sites = decision_sites(tree);
  const auto tests_at_first_step = [&](const Parameters& agent) {
    const auto beliefs = inference::node_beliefs(tree, ward.truth.structure, agent.dynamics);
    return policies_at(sites, ward.truth.structure, agent, beliefs)[1];
  };
  double along = 0.0;
  for (const auto& [up, down] : fitted_directions(fit).ends) {
    const double change =
        (tests_at_first_step(up.agent) - tests_at_first_step(down.agent)) / (2.0 * FittedDirections::kStep);
    along += change * change;
  }
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 2000;
  for (const AgentWorld& draw : fit.draws(kDraws, 1)) {
    const double p = tests_at_first_step(draw.agent);
    sum += p / kDraws;
    squares += p * p / kDraws;
  }
  EXPECT_NEAR(std::sqrt(along), std::sqrt(squares - sum * sum), 0.15 * std::sqrt(along));
}

TEST(ModelChecks, SayWhatCouldNotBeChecked) {
  const Environment ward = plain_ward();
  FitResult fit;
  fit.model = ward.truth;
  const ModelChecks nothing = check_model(fit, HistoryTreeBuilder(3).build());
  EXPECT_TRUE(nothing.checks.empty());
  EXPECT_EQ(nothing.not_checked,
            std::vector<std::string>{"there are no decisions, so nothing could be checked"});
  const HistoryTree tree = build_history_tree(3, records_of(ward, 50, 1));
  const ModelChecks known = check_model(fit, tree);
  ASSERT_EQ(known.not_checked.size(), 1u);
  EXPECT_NE(known.not_checked[0].find("does not say how sure it is"), std::string::npos);
  fit.model.agent.policy.terms = interpole::ward().truth.agent.policy.terms;
  const ModelChecks without = check_model(fit, tree);
  EXPECT_TRUE(without.checks.empty());
  EXPECT_NE(without.not_checked[0].find("covariates"), std::string::npos);
}

TEST(ModelChecks, RefuseWhatTheModelCallsImpossibleAndOptionsOutOfRange) {
  const Environment ward = plain_ward();
  FitResult fit;
  fit.model = ward.truth;
  const HistoryTree tree = build_history_tree(3, records_of(ward, 50, 1));
  ModelCheckOptions options;
  options.false_alarms = 0.0;
  EXPECT_NE(
      base::complaint_of([&] { check_model(fit, tree, options); }, ErrorKind::kUsage).find("false-alarms: 0"),
      std::string::npos);
  for (double& x : fit.model.agent.dynamics.observation) x = x > 0.5 ? 1.0 : 0.0;
  fit.model.agent.dynamics.initial = {1.0, 0.0};
  EXPECT_NE(base::complaint_of([&] { check_model(fit, tree); }).find("impossible"), std::string::npos);
}

TEST(DisagreementOfModes, IsSaidOfOthersNearlyAsGoodThatDiffer) {
  FitQuality quality;
  quality.modes = {{-100.0, 3, 0.0, 0.0}, {-101.0, 1, 0.01, 0.01}, {-110.0, 1, 0.5, 0.5}};
  EXPECT_EQ(disagreement_of(quality), "");
  quality.modes[1].belief_distance = 0.2;
  EXPECT_NE(disagreement_of(quality).find("beliefs differ by 20%"), std::string::npos);
}

}  // namespace
}  // namespace interpole::explain
