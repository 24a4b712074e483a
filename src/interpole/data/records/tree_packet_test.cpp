#include "interpole/data/records/tree_packet.hpp"

#include <gtest/gtest.h>

#include "interpole/base/random.hpp"

namespace interpole::data {
namespace {

Record random_record(std::uint64_t index) {
  base::RandomStream random(7, index);
  Record record;
  for (int t = 0; t < 12; ++t) {
    record.steps.push_back({static_cast<std::int32_t>(random.uniform() * 2),
                            static_cast<std::int32_t>(random.uniform() * 3) - 1});
  }
  return record;
}

void add(HistoryTreeBuilder& builder, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; ++i) {
    const Record record = random_record(i);
    std::vector<std::int32_t> diagnoses(record.steps.size(), -1);
    if (i % 3 == 0) diagnoses[i % diagnoses.size()] = static_cast<std::int32_t>(i % 2);
    builder.add(record.steps, diagnoses, 2);
  }
}

TEST(TreePacket, MakesOneTreeOfTwoWhateverTheNumberOfPieces) {
  constexpr std::uint64_t kRecords = 9'000;
  HistoryTreeBuilder whole(2);
  add(whole, 0, kRecords);
  HistoryTreeBuilder first(2);
  add(first, 0, 3'000);
  HistoryTreeBuilder second(2);
  add(second, 3'000, kRecords);
  ASSERT_GT(TreePacket::pieces(second), 2);
  TreePacket packet(first);
  for (int i = 0; i < TreePacket::pieces(second); ++i) packet.take(TreePacket::piece(second, i));
  const HistoryTree expected = whole.build();
  const HistoryTree merged = first.build();
  EXPECT_EQ(merged.records, expected.records);
  EXPECT_EQ(merged.parent, expected.parent);
  EXPECT_EQ(merged.passes, expected.passes);
  EXPECT_EQ(merged.first_record, expected.first_record);
  EXPECT_EQ(merged.action_counts, expected.action_counts);
  EXPECT_EQ(merged.diagnosis_counts, expected.diagnosis_counts);
  ASSERT_EQ(merged.places.size(), expected.places.size());
  for (std::size_t i = 0; i < merged.places.size(); ++i) {
    EXPECT_EQ(merged.places[i].sum, expected.places[i].sum);
    EXPECT_EQ(merged.places[i].squares, expected.places[i].squares);
  }
}

TEST(TreePacket, OfNoRecordsAddsNothing) {
  HistoryTreeBuilder none(2);
  HistoryTreeBuilder some(2);
  add(some, 0, 10);
  HistoryTreeBuilder same(2);
  add(same, 0, 10);
  TreePacket packet(some);
  for (int i = 0; i < TreePacket::pieces(none); ++i) packet.take(TreePacket::piece(none, i));
  EXPECT_EQ(some.build().first_record, same.build().first_record);
}

// More than a sum of squares in doubles can hold exactly.
TEST(HistoryTree, SumsPlacesExactly) {
  constexpr std::int64_t kRecords = 400'000;
  HistoryTreeBuilder builder(1);
  const std::vector<Step> record = {{0, 0}};
  for (std::int64_t i = 0; i < kRecords; ++i) builder.add(record);
  const HistoryTree tree = builder.build();
  EXPECT_EQ(tree.places[0].sum, 0.5 * kRecords * (kRecords - 1));
  __extension__ using Wide = __int128;
  const Wide sum_of_squares = Wide{kRecords} * (kRecords - 1) * (2 * kRecords - 1) / 6;
  EXPECT_EQ(tree.places[0].squares, static_cast<double>(sum_of_squares));
}

}  // namespace
}  // namespace interpole::data
