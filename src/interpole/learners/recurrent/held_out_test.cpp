#include "interpole/learners/recurrent/held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "interpole/environments/models_testing.hpp"

namespace interpole::learners {
namespace {

// Every record of three steps of two actions and two outcomes once, and some that end in no outcome or early.
std::vector<Record> distinct_records() {
  std::vector<Record> records;
  for (int code = 0; code < 64; ++code) {
    Record record;
    for (int t = 0; t < 3; ++t) record.steps.push_back({code >> (2 * t) & 1, code >> (2 * t + 1) & 1});
    records.push_back(record);
    if (code % 3 == 0) {
      record.steps.push_back({0, kMissing});
      records.push_back(record);
    }
  }
  records.push_back({"", {{1, 0}}});
  return records;
}

using Histories = std::map<std::vector<std::pair<int, int>>, std::vector<double>>;

// Decisions by history, of a tree with or without sharing.
Histories by_history(const HistoryTree& tree, const std::vector<double>& counts) {
  std::vector<std::pair<int, int>> last(tree.parent.size());
  for (const auto& group : tree.groups) {
    std::fill(last.begin() + group.begin, last.begin() + group.end,
              std::pair<int, int>{group.action, group.observation});
  }
  const auto A = static_cast<std::size_t>(tree.action_count);
  Histories result;
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    std::vector<std::pair<int, int>> history;
    for (auto at = static_cast<int>(node); at > 0; at = tree.parent[at]) history.push_back(last[at]);
    auto& sum = result[history];
    sum.resize(A, 0.0);
    for (std::size_t a = 0; a < A; ++a) sum[a] += counts[node * A + a];
  }
  std::erase_if(result, [](const auto& entry) {
    return std::all_of(entry.second.begin(), entry.second.end(), [](double c) { return c == 0.0; });
  });
  return result;
}

TEST(HeldOut, SetsWholePatientsAside) {
  const std::vector<Record> records = distinct_records();
  const HistoryTree tree = build_history_tree(2, records);
  const HeldOut split = hold_out_records(tree, 0.3, 5);
  EXPECT_EQ(split.validation_records, std::llround(0.3 * static_cast<double>(records.size())));
  // Whatever subset it is, the decisions of the first step tell how many records it has, …
  double first = 0.0;
  for (int a = 0; a < 2; ++a) first += split.validation.counts[a];
  EXPECT_EQ(first, static_cast<double>(split.validation_records));
  // … and at every history as many decide as came there and did not end: never more, by action and outcome.
  for (std::size_t node = 1; node < tree.parent.size(); ++node) {
    double decided = split.validation.counts[node * 2] + split.validation.counts[node * 2 + 1];
    EXPECT_LE(decided, static_cast<double>(tree.passes[node]));
    double before = 0.0;
    for (int a = 0; a < 2; ++a) before += split.validation.counts[tree.parent[node] * 2 + a];
    EXPECT_LE(decided, before);
  }
  for (std::size_t i = 0; i < tree.action_counts.size(); ++i) {
    EXPECT_GE(split.training.counts[i], 0.0);
    EXPECT_EQ(split.training.counts[i] + split.validation.counts[i],
              static_cast<double>(tree.action_counts[i]));
  }
  EXPECT_EQ(split.training.total + split.validation.total, static_cast<double>(tree.decisions));
}

// Paths that meet at the root only: who is set aside can be read off, and all of their steps must be.
TEST(HeldOut, TakesAllStepsOfAPatientOrNone) {
  std::vector<Record> records;
  records.reserve(40);
  for (int z = 0; z < 40; ++z) records.push_back({"", {{0, z}, {1, z}, {0, z}, {1, kMissing}}});
  const HistoryTree tree = build_history_tree(2, records);
  const HeldOut split = hold_out_records(tree, 0.25, 1);
  int aside = 0;
  for (const Record& record : records) {
    const auto path = tree.path_of(record.steps);
    const double is_aside = split.validation.counts[path[3] * 2 + 1];
    for (std::size_t t = 1; t < path.size(); ++t) {
      EXPECT_EQ(split.validation.counts[path[t] * 2 + record.steps[t].action], is_aside);
    }
    aside += static_cast<int>(is_aside);
  }
  EXPECT_EQ(aside, 10);
  EXPECT_EQ(split.validation.total, 40.0);
}

TEST(HeldOut, KnowsNeitherOrderNorSharing) {
  std::vector<Record> records = environments::simulated_records(bias(), 150, 3);
  const HistoryTree tree = build_history_tree(3, records);
  const Histories expected = by_history(tree, hold_out_records(tree, 0.2, 4).validation.counts);
  const HistoryTree flat = build_history_tree(3, records, false);
  EXPECT_EQ(by_history(flat, hold_out_records(flat, 0.2, 4).validation.counts), expected);
  std::reverse(records.begin(), records.end());
  const HistoryTree reversed = build_history_tree(3, records);
  EXPECT_EQ(by_history(reversed, hold_out_records(reversed, 0.2, 4).validation.counts), expected);
  EXPECT_NE(by_history(tree, hold_out_records(tree, 0.2, 5).validation.counts), expected);
  EXPECT_NE(by_history(tree, hold_out_records(tree, 0.2, 4, 1).validation.counts), expected);
}

TEST(HeldOut, SetsNobodyAsideIfThereIsNobodyToSpare) {
  const HistoryTree one = build_history_tree(2, std::vector<Record>{{"", {{0, 0}, {1, kMissing}}}});
  const HeldOut split = hold_out_records(one, 0.2, 1);
  EXPECT_EQ(split.validation_records, 0);
  EXPECT_EQ(split.validation.total, 0.0);
  EXPECT_EQ(split.training.total, 2.0);
}

TEST(HeldOut, DrawsEveryPatientEquallyOften) {
  std::vector<Record> records;
  records.reserve(40);
  for (int z = 0; z < 10; ++z) records.push_back({"", {{0, z}, {1, kMissing}}});
  const HistoryTree tree = build_history_tree(2, records);
  std::vector<double> times(10, 0.0);
  const int draws = 2000;
  for (int seed = 0; seed < draws; ++seed) {
    const HeldOut split = hold_out_records(tree, 0.3, seed);
    for (int z = 0; z < 10; ++z)
      times[z] += split.validation.counts[tree.path_of(records[z].steps)[1] * 2 + 1];
  }
  for (const double count : times) EXPECT_NEAR(count / draws, 0.3, 4.0 * std::sqrt(0.3 * 0.7 / draws));
}

}  // namespace
}  // namespace interpole::learners
