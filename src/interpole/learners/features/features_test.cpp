#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "interpole/base/random.hpp"
#include "interpole/environments/models_testing.hpp"
#include "interpole/learn/posterior/study_testing.hpp"
#include "interpole/learners/features/dealt_patients.hpp"
#include "interpole/learners/features/history_features.hpp"
#include "interpole/learners/features/softmax_fit.hpp"
#include "interpole/optimize/gradient_check.hpp"

namespace interpole::learners {
namespace {

std::map<std::string, double> row_by_name(const HistoryFeatures& features, const SparseRows& rows,
                                          std::size_t row) {
  std::map<std::string, double> found;
  for (std::size_t e = rows.begin[row]; e < rows.begin[row + 1]; ++e) {
    found[features.names()[rows.feature[e]]] = rows.value[e];
  }
  return found;
}

TEST(HistoryFeatures, SayWhatWasDoneSeenAndCounted) {
  // Two factors: pressure is always seen, lactate only after an order.
  Structure structure = Structure::unrestricted(
      {"s"}, {"wait", "order"},
      {"low | none", "high | none", "low | normal", "high | normal", "low | raised", "high | raised"});
  structure.allowed = {1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const HistoryFeatures features(structure, {{"sex", {"f", "m"}}, {"age", {}, 60.0, 10.0}});
  const std::vector<Record> records = {{"p", {{1, 3}, {0, 0}, {0, kMissing}, {0, 0}}, {1.0, 75.0}}};
  const HistoryTree tree = build_history_tree(2, records, true, RecordClasses::kApart);
  const auto path = tree.path_of(records[0].steps, records[0].covariates);
  const std::span<const double> covariates = records[0].covariates;
  const SparseRows rows = features.rows(tree, path, {covariates, covariates, covariates, covariates});
  ASSERT_EQ(rows.size(), 4u);
  using Row = std::map<std::string, double>;
  EXPECT_EQ(row_by_name(features, rows, 0), (Row{{"first decision", 1}, {"sex = m", 1}, {"age", 1.5}}));
  const std::string first = features.names()[6].substr(0, 12);
  EXPECT_EQ(first, "last outcome");
  const Row third = row_by_name(features, rows, 2);
  EXPECT_EQ(third.at("steps"), 2);
  EXPECT_EQ(third.at("last action: wait"), 1);
  EXPECT_EQ(third.at("action before: order"), 1);
  EXPECT_EQ(third.at("count: wait"), 1);
  EXPECT_EQ(third.at("count: order"), 1);
  // The lactate of the order is still the last one known; the pressure is the new one.
  int known = 0;
  for (const auto& [name, value] : third) {
    if (!name.starts_with("last known")) continue;
    EXPECT_TRUE(name.ends_with("low") || name.ends_with("normal")) << name;
    ++known;
  }
  EXPECT_EQ(known, 2);
  EXPECT_EQ(row_by_name(features, rows, 3).at("last outcome: not recorded"), 1);
  EXPECT_EQ(row_by_name(features, rows, 3).at("steps"), 3);
}

// A number below zero is no category.
TEST(HistoryFeatures, TakeNumbersOfEitherSign) {
  const Structure structure = testing::some_structure(2, 2, 2);
  const HistoryFeatures features(structure, {{"sex", {"f", "m"}}, {"marker", {}, 0.0, 2.0}});
  const HistoryTree tree = build_history_tree(2, std::vector<Record>{{"p", {{0, 0}}}});
  const std::vector<double> little = {0.0, -0.5}, less = {1.0, -2.5};
  const SparseRows rows = features.rows(tree, std::vector<std::int32_t>{0, 0}, {little, less});
  using Row = std::map<std::string, double>;
  EXPECT_EQ(row_by_name(features, rows, 0), (Row{{"first decision", 1}, {"sex = f", 1}, {"marker", -0.25}}));
  EXPECT_EQ(row_by_name(features, rows, 1), (Row{{"first decision", 1}, {"sex = m", 1}, {"marker", -1.25}}));
  EXPECT_EQ(rows.feature.size(), 6u);
}

TEST(HistoryFeatures, LeaveOutCovariatesThatAreNotKnown) {
  const Structure structure = testing::some_structure(2, 2, 2);
  const HistoryFeatures features(structure, {{"sex", {"f", "m"}}, {"age", {}, 60.0, 10.0}});
  const HistoryTree tree = build_history_tree(2, std::vector<Record>{{"p", {{0, 0}}}});
  const std::vector<double> unknown = {NAN, NAN};
  const SparseRows rows = features.rows(tree, std::vector<std::int32_t>{0, 0}, {unknown, {}});
  for (const std::size_t row : {0, 1}) EXPECT_EQ(row_by_name(features, rows, row).size(), 1u);
}

// Rows of three features, some zero, and counts of three actions.
struct SmallRegression {
  SparseRows rows;
  std::vector<double> counts;
  std::vector<double> scales;

  SmallRegression() {
    base::RandomStream random(1);
    for (int row = 0; row < 40; ++row) {
      for (int f = 0; f < 3; ++f) rows.add(f, random.uniform() < 0.3 ? 0.0 : 3.0 * f + random.normal());
      rows.end_row();
      for (int a = 0; a < 3; ++a) counts.push_back(std::floor(4.0 * random.uniform()));
    }
    scales = feature_scales(rows, 4, 3, counts);  // the fourth never occurs
  }
};

TEST(SoftmaxRegression, GradientMatchesDifferencesAndAWrongOneDoesNot) {
  const SmallRegression data;
  EXPECT_EQ(data.scales[3], 0.0);
  SoftmaxRegression objective(data.rows, data.scales, 3, data.counts, 0.7);
  base::RandomStream random(2);
  std::vector<double> x(objective.size());
  for (double& value : x) value = 0.5 * random.normal();
  EXPECT_LT(optimize::check_gradient(objective, x).worst_error, 1e-9);
  class Wrong : public optimize::Objective {
   public:
    explicit Wrong(optimize::Objective& right) : right_(right) {}
    int size() const override { return right_.size(); }
    double evaluate(std::span<const double> at, std::span<double> gradient) override {
      const double value = right_.evaluate(at, gradient);
      gradient[1] *= 1.001;
      return value;
    }

   private:
    optimize::Objective& right_;
  };
  Wrong wrong(objective);
  EXPECT_GT(optimize::check_gradient(wrong, x).worst_error, 1e-6);
}

// By central differences of the gradient.
double worst_of_second_derivatives(SoftmaxRegression& objective, std::vector<double> x,
                                   const std::vector<double>& claimed) {
  constexpr double kStep = 1e-5;
  const std::size_t n = x.size();
  std::vector<double> above(n), below(n);
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double here = x[i];
    x[i] = here + kStep;
    objective.evaluate(x, above);
    x[i] = here - kStep;
    objective.evaluate(x, below);
    x[i] = here;
    for (std::size_t j = 0; j < n; ++j) {
      worst = std::max(worst, std::abs(claimed[i * n + j] - (above[j] - below[j]) / (2.0 * kStep)));
    }
  }
  return worst;
}

TEST(SoftmaxRegression, SecondDerivativesMatchDifferencesAndWrongOnesDoNot) {
  const SmallRegression data;
  SoftmaxRegression objective(data.rows, data.scales, 3, data.counts, 0.7);
  base::RandomStream random(2);
  std::vector<double> x(objective.size());
  for (double& value : x) value = 0.5 * random.normal();
  auto claimed = objective.second_derivatives(x, {});
  EXPECT_LT(worst_of_second_derivatives(objective, x, claimed), 1e-7);
  claimed[1] *= 1.001;
  EXPECT_GT(worst_of_second_derivatives(objective, x, claimed), 1e-5);
}

TEST(SoftmaxFit, NewtonEndsWhereFirstDerivativesDo) {
  const SmallRegression data;
  for (const double penalty : {100.0, 1.0, 0.01}) {
    SoftmaxWeights newton{data.scales, std::vector<double>(data.scales.size() * 3, 0.0), {0.0, 0.0, 0.0}};
    SoftmaxWeights first = newton;
    const auto quick = fit_softmax(data.rows, data.counts, penalty, newton, {}, {});
    const auto slow = fit_softmax(data.rows, data.counts, penalty, first, {.most_dense = 0}, {});
    EXPECT_TRUE(quick.converged);
    EXPECT_LT(quick.iterations, 12);
    EXPECT_LT(quick.gradient_norm, 1e-8);
    EXPECT_GE(quick.value, slow.value - 1e-11 * std::abs(slow.value));
    const auto ours = softmax_policies(data.rows, newton);
    const auto theirs = softmax_policies(data.rows, first);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-5) << penalty;
  }
}

TEST(SoftmaxFit, AnActionThatNobodyTakesIsUnlikely) {
  SmallRegression data;
  for (std::size_t at = 1; at < data.counts.size(); at += 3) data.counts[at] = 0.0;
  SoftmaxWeights weights{data.scales, std::vector<double>(data.scales.size() * 3, 0.0), {0.0, 0.0, 0.0}};
  const auto summary = fit_softmax(data.rows, data.counts, 1.0, weights, {}, {});
  EXPECT_TRUE(summary.converged);
  const auto policies = softmax_policies(data.rows, weights);
  for (std::size_t at = 1; at < policies.size(); at += 3) {
    EXPECT_GT(policies[at], 0.0);
    EXPECT_LT(policies[at], 1e-9);
  }
}

TEST(SoftmaxFit, StopsWhenAsked) {
  const SmallRegression data;
  SoftmaxWeights weights{data.scales, std::vector<double>(data.scales.size() * 3, 0.0), {0.0, 0.0, 0.0}};
  int asked = 0;
  const auto summary = fit_softmax(data.rows, data.counts, 1.0, weights, {}, [&] { return ++asked > 2; });
  EXPECT_EQ(summary.stop, optimize::OptimizeSummary::Stop::kInterrupted);
  EXPECT_FALSE(summary.converged);
}

TEST(SoftmaxRegression, WithoutFeaturesIsTheShareOfEachAction) {
  SparseRows rows;
  rows.end_row();
  const std::vector<double> counts = {3.0, 1.0, 4.0};
  SoftmaxWeights weights{{}, {}, {0.0, 0.0, 0.0}};
  EXPECT_TRUE(fit_softmax(rows, counts, 1.0, weights, {}, {}).converged);
  const auto policies = softmax_policies(rows, weights);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(policies[a], counts[a] / 8.0, 1e-6);
  EXPECT_NEAR(softmax_log_likelihood(rows, weights, counts),
              3 * std::log(3 / 8.0) + std::log(1 / 8.0) + 4 * std::log(0.5), 1e-9);
}

TEST(DealtPatients, AddUpAndKeepRecordsWhole) {
  const std::vector<Record> records = environments::simulated_records(ward(), 200, 3);
  const HistoryTree tree = build_history_tree(3, records);
  ASSERT_FALSE(tree.classes.none());
  const inference::DecisionCells cells = inference::decision_cells(tree);
  const DealtPatients dealt = deal_patients(tree, cells, 3, 1);
  EXPECT_EQ(dealt.patients, 200);
  std::vector<double> sum(cells.counts.size(), 0.0);
  double first_decisions = 0.0;
  for (const auto& counts : dealt.counts) {
    double patients = 0.0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      EXPECT_GE(counts[i], 0.0);
      sum[i] += counts[i];
      if (tree.depth[cells.node[i / 3]] == 0) patients += counts[i];
    }
    EXPECT_NEAR(patients, 200.0 / 3.0, 1.0);
    first_decisions += patients;
  }
  EXPECT_EQ(sum, cells.counts);
  EXPECT_EQ(first_decisions, 200.0);
  // A record is in one part: of histories that one patient alone has, one part has all the decisions.
  int alone = 0;
  for (std::size_t cell = 0; cell < cells.node.size(); ++cell) {
    const double total = std::accumulate(&sum[cell * 3], &sum[cell * 3] + 3, 0.0);
    if (total != 1.0) continue;
    ++alone;
    double most = 0.0;
    for (const auto& counts : dealt.counts) {
      most = std::max(most, std::accumulate(&counts[cell * 3], &counts[cell * 3] + 3, 0.0));
    }
    EXPECT_EQ(most, 1.0);
  }
  EXPECT_GT(alone, 100);
  EXPECT_NE(deal_patients(tree, cells, 3, 2).counts, dealt.counts);
}

}  // namespace
}  // namespace interpole::learners
