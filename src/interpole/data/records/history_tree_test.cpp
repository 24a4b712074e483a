#include "interpole/history_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "interpole/base/random.hpp"

namespace interpole::data {
namespace {

constexpr int kActionCount = 3;  // action 2 ends a record

std::vector<Record> random_records(int count, std::uint64_t seed) {
  std::vector<Record> records(count);
  for (int i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    const int length = static_cast<int>(random.uniform() * 8);
    for (int t = 0; t < length; ++t) {
      const auto action = static_cast<std::int32_t>(random.uniform() * 2);
      const auto observation = static_cast<std::int32_t>(random.uniform() * 4) - 1;  // sometimes missing
      records[i].steps.push_back({action, observation});
    }
    if (random.uniform() < 0.5) records[i].steps.push_back({2, kMissing});
  }
  return records;
}

// Every history with the actions taken there, counted the slow way.
std::map<std::vector<std::pair<int, int>>, std::vector<std::int64_t>> count_by_history(
    const std::vector<Record>& records) {
  std::map<std::vector<std::pair<int, int>>, std::vector<std::int64_t>> counts;
  for (const Record& record : records) {
    std::vector<std::pair<int, int>> history;
    for (const Step& step : record.steps) {
      auto& at = counts[history];
      at.resize(kActionCount);
      ++at[step.action];
      history.emplace_back(step.action, step.observation);
    }
  }
  return counts;
}

std::vector<std::pair<int, int>> history_of(const HistoryTree& tree, int node) {
  std::vector<std::pair<int, int>> history;
  while (node != 0) {
    for (const auto& group : tree.groups) {
      if (node >= group.begin && node < group.end) history.emplace_back(group.action, group.observation);
    }
    node = tree.parent[node];
  }
  std::reverse(history.begin(), history.end());
  return history;
}

TEST(HistoryTree, CountsEveryActionAtItsHistory) {
  const auto records = random_records(300, 1);
  const HistoryTree tree = build_history_tree(kActionCount, records);
  auto expected = count_by_history(records);
  std::size_t nodes_with_decisions = 0;
  for (int node = 0; node < tree.node_count(); ++node) {
    if (tree.decisions_at(node) == 0) continue;
    ++nodes_with_decisions;
    const auto counts = tree.counts_at(node);
    EXPECT_EQ(expected.at(history_of(tree, node)), std::vector<std::int64_t>(counts.begin(), counts.end()));
  }
  EXPECT_EQ(nodes_with_decisions, expected.size());
}

TEST(HistoryTree, KeepsTotals) {
  const auto records = random_records(300, 2);
  const HistoryTree tree = build_history_tree(kActionCount, records);
  std::int64_t steps = 0;
  for (const auto& record : records) steps += static_cast<std::int64_t>(record.steps.size());
  EXPECT_EQ(tree.records, 300);
  EXPECT_EQ(tree.decisions, steps);
  EXPECT_EQ(std::accumulate(tree.action_counts.begin(), tree.action_counts.end(), std::int64_t{0}), steps);
  EXPECT_EQ(tree.passes[0], 300);
}

TEST(HistoryTree, OrdersNodesByDepthActionObservationParentAndGroupsThem) {
  const HistoryTree tree = build_history_tree(kActionCount, random_records(500, 3));
  int covered = 1;
  for (std::size_t g = 0; g < tree.groups.size(); ++g) {
    const auto& group = tree.groups[g];
    EXPECT_EQ(group.begin, covered);
    covered = group.end;
    for (int node = group.begin; node < group.end; ++node) {
      EXPECT_EQ(tree.depth[node], tree.depth[tree.parent[node]] + 1);
      if (node > group.begin) {
        EXPECT_LT(tree.parent[node - 1], tree.parent[node]) << "a parent occurs at most once in a group";
        EXPECT_EQ(tree.depth[node - 1], tree.depth[node]);
      }
    }
  }
  EXPECT_EQ(covered, tree.node_count());
}

TEST(HistoryTree, DoesNotDependOnTheOrderOfRecords) {
  auto records = random_records(200, 4);
  const HistoryTree forwards = build_history_tree(kActionCount, records);
  std::reverse(records.begin(), records.end());
  const HistoryTree backwards = build_history_tree(kActionCount, records);
  EXPECT_EQ(forwards.parent, backwards.parent);
  EXPECT_EQ(forwards.passes, backwards.passes);
  EXPECT_EQ(forwards.action_counts, backwards.action_counts);
}

TEST(HistoryTree, RemembersTheFirstRecordOfAHistory) {
  const std::vector<Record> records = {
      {"p", {{0, 0}, {1, 1}}}, {"q", {{0, 0}, {0, 1}}}, {"r", {{0, 1}, {2, kMissing}}}};
  const HistoryTree tree = build_history_tree(kActionCount, records);
  for (const int i : {0, 1, 2}) {
    const auto path = tree.path_of(records[i].steps);
    EXPECT_LE(tree.first_record[path.back()], i);
  }
  EXPECT_EQ(tree.first_record[tree.path_of(records[2].steps)[1]], 2);
}

TEST(HistoryTree, KnowsWhereRecordsStandThatWereAddedOneByOne) {
  HistoryTreeBuilder builder(kActionCount);
  const std::vector<Step> one = {{0, 0}, {1, 1}};
  const std::vector<Step> other = {{1, 0}};
  builder.add(one);
  builder.add(other);
  builder.add(one);
  const HistoryTree tree = builder.build();
  EXPECT_EQ(tree.places[0].sum, 0.0 + 2.0);
  EXPECT_EQ(tree.places[0].squares, 0.0 + 4.0);
  EXPECT_EQ(tree.places[1].sum, 1.0);
  builder.add(one);
  builder.add(other, 2);
  EXPECT_TRUE(builder.build().places.empty()) << "two at once have no order";
}

TEST(HistoryTree, FindsThePathOfEveryRecord) {
  const auto records = random_records(100, 5);
  const HistoryTree tree = build_history_tree(kActionCount, records);
  for (const auto& record : records) {
    const auto path = tree.path_of(record.steps);
    ASSERT_EQ(path.size(), record.steps.size());
    for (std::size_t t = 0; t < path.size(); ++t) {
      ASSERT_GE(path[t], 0);
      EXPECT_GT(tree.counts_at(path[t])[record.steps[t].action], 0);
    }
  }
  const std::vector<Step> unheard = {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2},
                                     {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}};
  EXPECT_EQ(tree.path_of(unheard).back(), -1);
}

TEST(HistoryTree, WithoutSharingEveryStepHasANodeOfItsOwn) {
  const auto records = random_records(50, 6);
  const HistoryTree flat = build_history_tree(kActionCount, records, false);
  std::int64_t outcomes = 0;
  for (const auto& record : records) {
    outcomes += static_cast<std::int64_t>(record.steps.size());
    if (!record.steps.empty() && record.steps.back().observation == kMissing) --outcomes;
  }
  EXPECT_EQ(flat.node_count(), 1 + outcomes);
}

std::vector<Record> with_covariates(std::vector<Record> records) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].covariates = {i % 7 == 0 ? NAN : static_cast<double>(i % 3),
                             50.0 - static_cast<double>(i % 2)};
  }
  return records;
}

TEST(HistoryTree, ClassesApartAreTheTreesOfEachClass) {
  const auto records = with_covariates(random_records(300, 7));
  const HistoryTree forest = build_history_tree(kActionCount, records, true, RecordClasses::kApart);
  EXPECT_EQ(forest.root_count, 8);
  EXPECT_TRUE(forest.classes.none());
  EXPECT_EQ(forest.records, 300);
  std::int64_t nodes = 0;
  for (int root = 0; root < forest.root_count; ++root) {
    const auto covariates = forest.covariates_of_root(root);
    EXPECT_EQ(forest.root_of(covariates), root);
    std::vector<Record> own;
    for (const Record& record : records) {
      if (forest.root_of(record.covariates) == root) own.push_back({record.patient, record.steps, {}});
    }
    const HistoryTree tree = build_history_tree(kActionCount, own);
    nodes += tree.node_count();
    EXPECT_EQ(forest.passes[root], tree.records);
    for (const Record& record : own) {
      const auto in_forest = forest.path_of(record.steps, covariates);
      const auto in_tree = tree.path_of(record.steps);
      for (std::size_t t = 0; t < in_tree.size(); ++t) {
        ASSERT_GE(in_forest[t], 0);
        EXPECT_EQ(forest.passes[in_forest[t]], tree.passes[in_tree[t]]);
        EXPECT_TRUE(std::ranges::equal(forest.counts_at(in_forest[t]), tree.counts_at(in_tree[t])));
      }
    }
  }
  EXPECT_EQ(forest.node_count(), nodes);
  EXPECT_EQ(forest.root_of(std::vector{9.0, 50.0}), -1);
  EXPECT_EQ(forest.path_of(records[0].steps, std::vector{9.0, 50.0}).back(), -1);
}

TEST(HistoryTree, ClassesApartWithoutCovariatesAreOneTree) {
  const auto records = random_records(50, 8);
  const HistoryTree forest = build_history_tree(kActionCount, records, true, RecordClasses::kApart);
  const HistoryTree tree = build_history_tree(kActionCount, records);
  EXPECT_EQ(forest.root_count, 1);
  EXPECT_EQ(forest.parent, tree.parent);
  EXPECT_EQ(forest.action_counts, tree.action_counts);
  EXPECT_EQ(forest.path_of(records[0].steps, std::vector{1.0}), tree.path_of(records[0].steps));
}

TEST(HistoryTree, OfNothingIsTheRoot) {
  const HistoryTree tree = HistoryTreeBuilder(kActionCount).build();
  EXPECT_EQ(tree.node_count(), 1);
  EXPECT_TRUE(tree.groups.empty());
}

TEST(HistoryTree, ClassesFollowFromCovariatesNotFromTheOrderOfRecords) {
  const std::vector<Record> records = {{"a", {{0, 0}, {1, 0}}, {2.0, NAN}},
                                       {"b", {{0, 0}}, {-1.0, 1.0}},
                                       {"c", {{0, 0}, {0, 1}}, {2.0, 0.0}},
                                       {"d", {{1, 1}}, {-1.0, 1.0}}};
  const HistoryTree tree = build_history_tree(2, records);
  const HistoryTree other = build_history_tree(2, std::vector<Record>(records.rbegin(), records.rend()));
  ASSERT_EQ(tree.classes.covariates.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const double x = tree.classes.covariates[i];
    EXPECT_TRUE(x == other.classes.covariates[i] ||
                (std::isnan(x) && std::isnan(other.classes.covariates[i])));
  }
  EXPECT_EQ(tree.classes.node, other.classes.node);
  EXPECT_EQ(tree.classes.record_class, other.classes.record_class);
  EXPECT_EQ(tree.classes.action_counts, other.classes.action_counts);
}

TEST(HistoryTree, HasNoPlacesIfTheOrderIsForgotten) {
  HistoryTreeBuilder builder(2);
  builder.forget_order();
  builder.add(std::vector<Step>{{0, 0}});
  EXPECT_TRUE(builder.build().places.empty());
  builder.add(std::vector<Step>{{0, 0}});
  EXPECT_FALSE(builder.build().places.empty()) << "of the next tree it is known again";
}

}  // namespace
}  // namespace interpole::data
