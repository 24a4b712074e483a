#include "interpole/evaluate/resampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "interpole/environments/models_testing.hpp"
#include "interpole/inference/oracle_testing.hpp"

namespace interpole::evaluate {
namespace {

std::vector<Record> records_with_missing_outcomes(int count) {
  const Structure structure = testing::some_structure(2, 3, 2);
  const Model model = environments::random_model(structure, 4);
  return testing::random_records(structure, model.agent, count, 5, 6, 0.3);
}

const auto kAsOften = [](std::int64_t patients) { return patients; };

TEST(PatientResampler, PutsTheTreeTogetherAgainFromItsRecords) {
  for (const bool sharing : {true, false}) {
    const HistoryTree tree = build_history_tree(3, records_with_missing_outcomes(200), sharing);
    HistoryTree copy = tree;
    PatientResampler(tree).reweight(kAsOften, copy);
    EXPECT_EQ(copy.passes, tree.passes);
    EXPECT_EQ(copy.action_counts, tree.action_counts);
    EXPECT_EQ(copy.records, tree.records);
    EXPECT_EQ(copy.decisions, tree.decisions);
  }
}

TEST(PatientResampler, PutsTreesOfClassesTogetherAgain) {
  auto records = records_with_missing_outcomes(200);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].covariates = {static_cast<double>(i % 4)};
  const HistoryTree tree = build_history_tree(3, records, true, RecordClasses::kApart);
  ASSERT_EQ(tree.root_count, 4);
  HistoryTree copy = tree;
  PatientResampler(tree).reweight(kAsOften, copy);
  EXPECT_EQ(copy.passes, tree.passes);
  EXPECT_EQ(copy.action_counts, tree.action_counts);
  EXPECT_EQ(copy.records, tree.records);
}

// A weight for every patient must give a tree as if each record had been added so often.
TEST(PatientResampler, ReplicatesAreTreesOfWholeRecords) {
  const HistoryTree tree = build_history_tree(3, records_with_missing_outcomes(50));
  const PatientResampler resampler(tree);
  HistoryTree replicate = tree;
  base::RandomStream random(3);
  resampler.draw(random, replicate);
  EXPECT_NE(replicate.passes, tree.passes);
  HistoryTree again = replicate;
  PatientResampler(replicate).reweight(kAsOften, again);  // only if every count is explained by whole records
  EXPECT_EQ(again.action_counts, replicate.action_counts);
  EXPECT_EQ(again.passes, replicate.passes);
}

TEST(PatientResampler, WeightsHaveMeanAndVarianceOne) {
  const HistoryTree tree = environments::simulated_tree(diag(), 100, 1);
  const PatientResampler resampler(tree);
  HistoryTree replicate = tree;
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kReplicates = 2000;
  for (int i = 0; i < kReplicates; ++i) {
    base::RandomStream random(5, i);
    resampler.draw(random, replicate);
    sum += static_cast<double>(replicate.records);
    squares += std::pow(static_cast<double>(replicate.records) - 100.0, 2);
  }
  // The number of records is Poisson(100).
  EXPECT_NEAR(sum / kReplicates, 100.0, 4.0 * 10.0 / std::sqrt(kReplicates));
  EXPECT_NEAR(squares / kReplicates, 100.0, 4.0 * 142.0 / std::sqrt(kReplicates));
}

}  // namespace
}  // namespace interpole::evaluate
