#include "interpole/data/mapping/read_ahead.hpp"

#include <gmock/gmock.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// More rows than may wait.
constexpr std::int64_t kMany = 400'000;

std::string numbers_up_to(std::int64_t count) {
  return "SELECT range::DOUBLE FROM range(" + std::to_string(count) + ")";
}

// How many rows came, if they are 0, 1, 2, …; −1 if they are not.
std::int64_t count_in_order(ReadAhead& chunks) {
  std::int64_t next = 0;
  std::vector<double> numbers;
  while (const duckdb_data_chunk chunk = chunks.next()) {
    copy_numbers(chunk, 0, -1.0, numbers);
    for (const double number : numbers) {
      if (number != static_cast<double>(next++)) return -1;
    }
  }
  return next;
}

TEST(ReadAhead, HandsOutEveryRowInOrder) {
  const DuckdbConnection connection({});
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2048}, kMany}) {
    ReadAhead chunks(connection, numbers_up_to(count), "numbers");
    EXPECT_EQ(count_in_order(chunks), count);
    EXPECT_EQ(chunks.next(), nullptr) << "the end stays the end";
  }
}

TEST(ReadAhead, LongTextOutlivesTheFetchingOfLaterChunks) {
  const DuckdbConnection connection({});
  ReadAhead chunks(connection, "SELECT repeat('x', 100) || range FROM range(300000) ORDER BY range DESC",
                   "texts");
  std::vector<Cell> cells;
  std::int64_t next = 300'000;
  while (const duckdb_data_chunk chunk = chunks.next()) {
    copy_cells(chunk, 0, cells);
    for (const Cell& cell : cells) ASSERT_EQ(cell.text, std::string(100, 'x') + std::to_string(--next));
  }
  EXPECT_EQ(next, 0);
}

TEST(ReadAhead, LeavesTheConnectionFreeOnceStopped) {
  const DuckdbConnection connection({});
  ReadAhead chunks(connection, numbers_up_to(100 * kMany), "numbers");
  const duckdb_data_chunk present = chunks.next();
  ASSERT_NE(present, nullptr);
  chunks.stop();
  DuckdbQuery query(connection, "SELECT 7::DOUBLE", "seven");
  std::vector<double> numbers;
  copy_numbers(query.fetch(), 0, -1.0, numbers);
  EXPECT_EQ(numbers, std::vector{7.0});
  copy_numbers(present, 0, -1.0, numbers);
  EXPECT_EQ(numbers.front(), 0);
}

TEST(ReadAhead, EndsWithoutHavingBeenReadToTheEnd) {
  const DuckdbConnection connection({});
  for (int i = 0; i < 20; ++i) ReadAhead(connection, numbers_up_to(100 * kMany), "numbers").next();
}

TEST(ReadAhead, ThrowsWhatTheFetchingThrew) {
  const DuckdbConnection connection({});
  ReadAhead chunks(connection,
                   "SELECT CASE WHEN range = 300000 THEN error('no such day')::DOUBLE ELSE range::DOUBLE END "
                   "FROM range(400000)",
                   "numbers");
  EXPECT_THAT(base::complaint_of([&] { count_in_order(chunks); }),
              ::testing::HasSubstr("numbers: no such day"));
}

TEST(ReadAhead, RefusesAQueryThatCannotBePrepared) {
  const DuckdbConnection connection({});
  EXPECT_THROW(ReadAhead(connection, "SELECT nothing", "query"), Error);
}

}  // namespace
}  // namespace interpole::data
