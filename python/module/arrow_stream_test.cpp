#include "arrow_stream.hpp"

#include <gmock/gmock.h>

#include "arrow_testing.hpp"
#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::python {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Cells = std::vector<std::string>;

Cells cells_of(const MemoryTable& table, std::size_t column) {
  Cells cells;
  data::CellBuffer buffer;
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row) {
    cells.emplace_back(data::cell_text(table.columns[column], row, buffer));
  }
  return cells;
}

// The cells of a column alone in a stream, where it has several batches and cannot be used where it lies.
Cells read_alone(const TestColumn& column, std::int64_t rows) {
  TestStream stream({{rows, {column}}, {rows, {column}}});
  const MemoryTable table = read_arrow_stream("t", stream.stream);
  Cells cells = cells_of(table, 0);
  const auto half = static_cast<std::ptrdiff_t>(cells.size() / 2);
  EXPECT_EQ(Cells(cells.begin(), cells.begin() + half), Cells(cells.begin() + half, cells.end()));
  cells.resize(cells.size() / 2);
  TestStream single({{rows, {column}}});
  EXPECT_EQ(cells_of(read_arrow_stream("t", single.stream), 0), cells);
  return cells;
}

TestColumn with_gap(TestColumn column, const std::vector<bool>& valid) {
  column.buffers[0] = valid_bits(valid);
  column.nulls = -1;  // not counted, which is allowed
  return column;
}

void expect_all_back(const TestStream& stream) {
  EXPECT_EQ(stream.streams_back, 1);
  EXPECT_EQ(stream.schemas_back, stream.schemas_out);
  EXPECT_EQ(stream.batches_back, stream.batches_out);
}

TEST(ArrowStream, ReadsTexts) {
  EXPECT_THAT(read_alone(text_column("a", {"ä", "", "long text that is not short"}), 3),
              ElementsAre("ä", "", "long text that is not short"));
  EXPECT_THAT(read_alone(text_column<std::int64_t>("a", {"x", "y"}), 2), ElementsAre("x", "y"));
  EXPECT_THAT(read_alone(with_gap(text_column("a", {"x", "y"}), {false, true}), 2), ElementsAre("", "y"));
}

TEST(ArrowStream, ReadsViewsOfTexts) {
  const std::string longer = "more than twelve letters";
  std::vector<std::int32_t> views = {2, 0, 0, 0, static_cast<std::int32_t>(longer.size()), 0, 0, 0};
  std::memcpy(&views[1], "ab", 2);
  const TestColumn column{"a", "vu", {{}, bytes_of(views), Bytes(longer.begin(), longer.end())}};
  EXPECT_THAT(read_alone(column, 2), ElementsAre("ab", longer));
}

TEST(ArrowStream, ReadsNumbers) {
  EXPECT_THAT(read_alone(value_column<std::int8_t>("a", "c", {-1, 2}), 2), ElementsAre("-1", "2"));
  EXPECT_THAT(read_alone(value_column<std::uint8_t>("a", "C", {255}), 1), ElementsAre("255"));
  EXPECT_THAT(read_alone(value_column<std::int16_t>("a", "s", {-300}), 1), ElementsAre("-300"));
  EXPECT_THAT(read_alone(value_column<std::uint16_t>("a", "S", {65535}), 1), ElementsAre("65535"));
  EXPECT_THAT(read_alone(value_column<std::int32_t>("a", "i", {-70000}), 1), ElementsAre("-70000"));
  EXPECT_THAT(read_alone(value_column<std::uint32_t>("a", "I", {4000000000U}), 1), ElementsAre("4000000000"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "l", {-5}), 1), ElementsAre("-5"));
  EXPECT_THAT(read_alone(value_column<std::uint64_t>("a", "L", {18446744073709551615ULL}), 1),
              ElementsAre("18446744073709551615"));
  EXPECT_THAT(read_alone(value_column<float>("a", "f", {0.5F, 0.1F, -2.3e-9F, 16777216.0F}), 4),
              ElementsAre("0.5", "0.1", "-2.3e-09", "16777216"));
  EXPECT_THAT(read_alone(value_column<double>("a", "g", {0.1, 3.0}), 2), ElementsAre("0.1", "3"));
}

TEST(ArrowStream, ReadsNumbersWithGaps) {
  EXPECT_THAT(read_alone(with_gap(value_column<std::int32_t>("a", "i", {7, 0, 8}), {true, false, true}), 3),
              ElementsAre("7", "", "8"));
  EXPECT_THAT(read_alone(with_gap(value_column<std::int64_t>("a", "l", {7, 0, 8}), {true, false, true}), 3),
              ElementsAre("7", "", "8"));
  EXPECT_THAT(read_alone(with_gap(value_column<double>("a", "g", {7, 0}), {true, false}), 2),
              ElementsAre("7", ""));
}

TEST(ArrowStream, ReadsTruthsDatesMomentsDecimalsAndNothing) {
  EXPECT_THAT(read_alone({"a", "b", {{}, Bytes{0b01}}}, 2), ElementsAre("True", "False"));
  EXPECT_THAT(read_alone(value_column<std::int32_t>("a", "tdD", {0, 18292, -1}), 3),
              ElementsAre("1970-01-01", "2020-01-31", "1969-12-31"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "tdm", {86400000}), 1), ElementsAre("1970-01-02"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "tss:", {0, 86400}), 2),
              ElementsAre("1970-01-01", "1970-01-02"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "tsm:", {0, -1}), 2),
              ElementsAre("1970-01-01 00:00:00", "1969-12-31 23:59:59.999"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "tsu:UTC", {3723000001}), 1),
              ElementsAre("1970-01-01 01:02:03.000001+00:00"));
  EXPECT_THAT(
      read_alone(with_gap(value_column<std::int64_t>("a", "tsn:", {5, 86400000000000}), {false, true}), 2),
      ElementsAre("", "1970-01-02"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "d:18,2", {250, 0, -5, -1, 7, 0}), 3),
              ElementsAre("2.50", "-0.05", "0.07"));
  EXPECT_THAT(read_alone(value_column<std::int64_t>("a", "d:18,0,128", {12, 0}), 1), ElementsAre("12"));
  EXPECT_THAT(read_alone({"a", "n", {}}, 2), ElementsAre("", ""));
}

TEST(ArrowStream, ReadsCategoriesThatBatchesNumberDifferently) {
  TestStream stream({{2, {category_column("a", {0, 1}, {"x", "y"})}},
                     {2, {with_gap(category_column("a", {0, 0}, {"y"}), {true, false})}}});
  EXPECT_THAT(cells_of(read_arrow_stream("t", stream.stream), 0), ElementsAre("x", "y", "y", ""));
  expect_all_back(stream);
}

TEST(ArrowStream, ReadsPartsOfArrays) {
  TestColumn texts = text_column("a", {"w", "x", "y", "z"});
  texts.offset = 1;
  TestColumn numbers =
      with_gap(value_column<std::int32_t>("b", "i", {1, 2, 3, 4}), {true, true, false, true});
  numbers.offset = 1;
  for (int copies : {1, 2}) {
    TestStream stream(std::vector<TestBatch>(static_cast<std::size_t>(copies), {2, {texts, numbers}, 1}));
    const MemoryTable table = read_arrow_stream("t", stream.stream);
    EXPECT_EQ(cells_of(table, 0)[0], "y");
    EXPECT_EQ(cells_of(table, 0)[1], "z");
    EXPECT_EQ(cells_of(table, 1)[0], "");
    EXPECT_EQ(cells_of(table, 1)[1], "4");
  }
}

TEST(ArrowStream, UsesAnOnlyBatchWhereItLiesAndReleasesItWithTheTable) {
  TestStream stream({{2, {text_column("a", {"x", "y"}), value_column<std::int64_t>("b", "l", {1, 2})}}});
  {
    const MemoryTable table = read_arrow_stream("t", stream.stream);
    EXPECT_EQ(stream.streams_back, 1);
    EXPECT_EQ(stream.schemas_back, 1);
    EXPECT_EQ(stream.batches_back, 0);
    EXPECT_THAT(cells_of(table, 0), ElementsAre("x", "y"));
    EXPECT_THAT(cells_of(table, 1), ElementsAre("1", "2"));
  }
  expect_all_back(stream);
}

TEST(ArrowStream, ReadsStreamsWithoutRows) {
  TestStream stream({{0, {text_column("a", {})}}});
  const MemoryTable table = read_arrow_stream("t", stream.stream);
  EXPECT_EQ(table.rows, 0);
  EXPECT_EQ(table.columns.size(), 1U);
  expect_all_back(stream);
}

// Each gives everything back once, and says what is wrong.
TEST(ArrowStream, ReleasesOnceAfterEveryError) {
  const TestBatch good{2, {text_column("a", {"x", "y"})}};
  const auto refused = [](TestStream& stream, const std::string& words) {
    try {
      read_arrow_stream("t", stream.stream);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
    expect_all_back(stream);
  };
  TestStream no_schema({good});
  no_schema.schema_problem = 2;
  refused(no_schema, "t: the stream cannot be read: the disk is full");
  for (int place : {0, 1, 2}) {
    TestStream broken({good, good});
    broken.fails_at = place;
    refused(broken, "t: the stream cannot be read: the disk is full");
  }
  TestStream silent({good});
  silent.fails_at = 1;
  silent.silent = true;
  refused(silent, "t: the stream cannot be read: Input/output error");
  TestStream numbers({good});
  numbers.format = "l";
  refused(numbers, "t: the stream holds \"l\", not a table");
  TestStream uneven({good, {2, {text_column("a", {"x", "y"}), text_column("b", {"x", "y"})}}});
  refused(uneven, "a batch of the stream has 2 columns, its schema 1");
  TestStream strange({{1, {text_column("a", {"x"}), value_column<std::int64_t>("b", "ttu", {1})}}});
  refused(strange, "t: column b has the Arrow kind \"ttu\", which is not read");
  TestStream wide({{1, {value_column<std::int64_t>("b", "d:40,2,256", {1, 0, 0, 0})}}});
  refused(wide, "t: column b has the Arrow kind \"d:40,2,256\"");
  TestStream beyond({{2, {category_column("a", {0, 3}, {"x"})}}});
  refused(beyond, "t: row 1: column a: category 3 of 1; the stream is broken");
  TestStream below({{2, {category_column("a", {0, -1}, {"x"})}}});
  refused(below, "t: row 1: column a: category -1 of 1; the stream is broken");
  TestStream unnamed({{2, {category_column("a", {0, 0}, {"x"})}}});
  unnamed.no_categories = true;
  refused(unnamed, "t: column a: a batch has no categories; the stream is broken");
  TestColumn few = text_column("a", {"x", "y"});
  few.length = 1;
  for (int copies : {1, 2}) {
    TestStream shortened(std::vector<TestBatch>(static_cast<std::size_t>(copies), {2, {few}}));
    refused(shortened, "t: column a: a batch of 2 rows has 1 values; the stream is broken");
    TestColumn bare = text_column("a", {"x", "y"});
    bare.buffers.resize(2);
    TestStream lacking(std::vector<TestBatch>(static_cast<std::size_t>(copies), {2, {bare}}));
    refused(lacking, "t: column a: a batch lacks its values; the stream is broken");
    TestColumn hollow = value_column<double>("a", "g", {1.0, 2.0});
    hollow.buffers[1].clear();
    TestStream empty(std::vector<TestBatch>(static_cast<std::size_t>(copies), {2, {hollow}}));
    refused(empty, "t: column a: a batch lacks its values; the stream is broken");
  }
}

TEST(ArrowStream, RefusesAStreamThatWasReadBefore) {
  TestStream stream({{1, {text_column("a", {"x"})}}});
  read_arrow_stream("t", stream.stream);
  EXPECT_THROW(read_arrow_stream("t", stream.stream), Error);
  expect_all_back(stream);
}

}  // namespace
}  // namespace interpole::python
