#include "interpole/data/records/merged_histories.hpp"

#include <gtest/gtest.h>

#include "interpole/base/random.hpp"

namespace interpole::data {
namespace {

std::vector<Record> records_with_repeats(int count, std::uint64_t seed) {
  std::vector<Record> records;
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    Record record;
    const int length = 1 + static_cast<int>(random.uniform() * 6);
    for (int t = 0; t < length; ++t) {
      const double x = random.uniform();
      record.steps.push_back({static_cast<int>(random.uniform() * 2), x < 0.1 ? kMissing : x < 0.6 ? 0 : 1});
    }
    records.push_back(record);
  }
  return records;
}

void expect_equal(const HistoryTree& x, const HistoryTree& y) {
  EXPECT_EQ(x.records, y.records);
  EXPECT_EQ(x.decisions, y.decisions);
  EXPECT_EQ(x.parent, y.parent);
  EXPECT_EQ(x.depth, y.depth);
  EXPECT_EQ(x.passes, y.passes);
  EXPECT_EQ(x.first_record, y.first_record);
  EXPECT_EQ(x.action_counts, y.action_counts);
  EXPECT_EQ(x.diagnosis_counts, y.diagnosis_counts);
  ASSERT_EQ(x.groups.size(), y.groups.size());
  for (std::size_t i = 0; i < x.groups.size(); ++i) {
    EXPECT_EQ(x.groups[i].action, y.groups[i].action);
    EXPECT_EQ(x.groups[i].observation, y.groups[i].observation);
    EXPECT_EQ(x.groups[i].begin, y.groups[i].begin);
    EXPECT_EQ(x.groups[i].end, y.groups[i].end);
  }
}

TEST(MergedHistories, MakeOfAFlatListTheTreeOfItsRecords) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const auto records = records_with_repeats(60, seed);
    const HistoryTree flat = build_history_tree(2, records, false);
    const HistoryTree tree = build_history_tree(2, records);
    ASSERT_GT(flat.node_count(), tree.node_count());
    expect_equal(merged_histories(flat), tree);
  }
}

TEST(MergedHistories, LeaveATreeAsItIs) {
  const HistoryTree tree = build_history_tree(2, records_with_repeats(60, 3));
  expect_equal(merged_histories(tree), tree);
}

TEST(MergedHistories, AddDiagnosesUp) {
  HistoryTreeBuilder flat(1, false), shared(1);
  const std::vector<Step> steps = {{0, 1}, {0, kMissing}};
  for (const std::vector<std::int32_t>& diagnoses : {std::vector<std::int32_t>{0, 1}, {1, -1}, {1, 1}}) {
    flat.add(steps, diagnoses, 2);
    shared.add(steps, diagnoses, 2);
  }
  const HistoryTree tree = shared.build();
  ASSERT_FALSE(tree.diagnosis_counts.empty());
  expect_equal(merged_histories(flat.build()), tree);
}

TEST(MergedHistories, KeepTheEmptyHistoryAlone) {
  const std::vector<Record> none = {{"p", {}}};
  expect_equal(merged_histories(build_history_tree(1, none)), build_history_tree(1, none));
}

}  // namespace
}  // namespace interpole::data
