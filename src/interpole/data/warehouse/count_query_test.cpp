#include "interpole/data/warehouse/count_query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"

// What queries return is tested where warehouses run them (tests/warehouse_test.py).

namespace interpole::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Study hostile_study() {
  return parse_study(R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["it's", "a\\b"]
[[actions]]
name = "wait"
[policy]
context = ["order", "body mass"]
)",
                     "s.toml");
}

Study mapped_study(const std::string& source, const std::string& bins) {
  return parse_study(R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
[[actions]]
name = "wait"
[source]
tables = ["t"]
)" + source + R"(
[record]
id = "id"
order = "day"
kind = "number"
[action]
column = "a"
[[factors]]
name = "x"
column = "x"
kind = "numeric"
levels = ["low", "mid", "high"]
)" + bins,
                     "s.toml");
}

std::string query_in(const std::string& dialect, const Study& study, const std::string& table = "") {
  return count_query(study, {SqlDialect::named(dialect), table, 0});
}

TEST(CountQuery, RefusesMeasuredFactors) {
  const Study study = parse_study(R"(
format = "interpole-study"
version = 2
states = ["well", "ill"]
[[actions]]
name = "wait"
[[factors]]
name = "lactate"
kind = "continuous"
family = "lognormal"
)",
                                  "s.toml");
  EXPECT_THAT(base::complaint_of([&] { query_in("postgres", study); }),
              AllOf(HasSubstr("\"lactate\" is measured"), HasSubstr("cut it into levels")));
}

TEST(CountQuery, QuotesNamesAsTheDialectDoes) {
  EXPECT_THAT(query_in("postgres", hostile_study()),
              AllOf(HasSubstr("'it''s'"), HasSubstr("'a\\b'"), HasSubstr("\"order\""),
                    HasSubstr("\"body mass\""), HasSubstr("\"covariate_body_x20mass\"")));
  EXPECT_THAT(query_in("bigquery", hostile_study(), "my-project.clinic.visits"),
              AllOf(HasSubstr("'it\\'s'"), HasSubstr("'a\\\\b'"), HasSubstr("`body mass`"),
                    HasSubstr("FROM `my-project`.clinic.visits")));
  EXPECT_THAT(query_in("snowflake", hostile_study()), HasSubstr("\"ORDER\""));
}

TEST(CountQuery, NamesTheTableItIsTold) {
  EXPECT_THAT(query_in("duckdb", hostile_study()), HasSubstr("FROM visits\n"));
  for (const char* name : {"a b", "x;y", "a..b", "visits\"", "."}) {
    EXPECT_THAT(base::complaint_of([&] { query_in("duckdb", hostile_study(), name); }, ErrorKind::kUsage),
                HasSubstr("is not the name of a table"))
        << name;
  }
}

TEST(CountQuery, RefusesWhatCannotBeSaid) {
  EXPECT_THAT(base::complaint_of([] { SqlDialect::named("oracle"); }, ErrorKind::kUsage),
              HasSubstr("option dialect: \"oracle\" is not known; choose one of duckdb, postgres, spark"));
  const Study derived = mapped_study("", "bins = { sd = 0.5 }\n");
  EXPECT_THAT(base::complaint_of([&] { query_in("duckdb", derived); }),
              HasSubstr("s.toml: factors[0].bins: the cuts of \"x\" depend on the population"));
  const Study own_sql = mapped_study("sql = \"SELECT * FROM t\"", "cuts = [1, 2]\n");
  EXPECT_THAT(query_in("duckdb", own_sql), HasSubstr("SELECT * FROM t"));
  EXPECT_THAT(base::complaint_of([&] { query_in("postgres", own_sql); }),
              AllOf(HasSubstr("s.toml: source.sql: it is DuckDB's SQL"), HasSubstr("option table")));
  EXPECT_THAT(query_in("postgres", own_sql, "clinic.rows_of_t"),
              AllOf(HasSubstr("FROM clinic.rows_of_t"), Not(HasSubstr("SELECT * FROM t\n"))));
  const Study codes = mapped_study("sql = \"SELECT * FROM t\"\nmissing = [\"NA\"]", "cuts = [1, 2]\n");
  EXPECT_THAT(base::complaint_of([&] { query_in("duckdb", codes); }), HasSubstr("source.missing"));
  EXPECT_THAT(base::complaint_of(
                  [] {
                    count_query(hostile_study(), {SqlDialect::named("duckdb"), "", -1});
                  },
                  ErrorKind::kUsage),
              HasSubstr("option min-cell: -1 is below 0"));
}

TEST(CountQuery, NeverReliesOnTheOrderOfCollectedRows) {
  const std::vector<std::pair<std::string, std::string>> ordered = {
      {"duckdb", "list_sort(list("},
      {"postgres", "' ' ORDER BY ip_place)"},
      {"spark", "ARRAY_SORT(COLLECT_LIST("},
      {"bigquery", "' ' ORDER BY ip_place)"},
      {"snowflake", "WITHIN GROUP (ORDER BY ip_place)"},
      {"trino", "ORDER BY ip_place), ' ')"},
      {"clickhouse", "arraySort(groupArray(("}};
  for (const auto& [dialect, words] : ordered)
    EXPECT_THAT(query_in(dialect, hostile_study()), HasSubstr(words));
}

}  // namespace
}  // namespace interpole::data
