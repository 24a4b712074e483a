#include "interpole/data/warehouse/portable_sql.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interpole/base/complaint_testing.hpp"

namespace interpole::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = SqlDialect::Kind;

std::string in(Kind kind, const std::string& expression) {
  return portable_sql(expression, SqlDialect(kind), "s.toml: filters.where").sql;
}

TEST(PortableSql, SpellsWhatMeansTheSame) {
  EXPECT_EQ(in(Kind::kPostgres, "AGE::DOUBLE > 75 and dx<>'it''s'"),
            "CAST(AGE AS DOUBLE PRECISION) > 75 AND dx <> 'it''s'");
  EXPECT_EQ(in(Kind::kBigquery, "\"visit date\" IS NOT NULL AND dx = 'it''s'"),
            "`visit date` IS NOT NULL AND dx = 'it\\'s'");
  EXPECT_EQ(in(Kind::kClickhouse, "coalesce(x, y)::INTEGER = 1"),
            "CAST(COALESCE ( x , y ) AS Nullable(Int64)) = 1");
  EXPECT_EQ(in(Kind::kSpark, "(a + b)::VARCHAR IN ('1', '2')"), "CAST(( a + b ) AS STRING) IN ( '1' , '2' )");
  EXPECT_EQ(in(Kind::kSnowflake, "CAST(x AS DOUBLE) >= 1 OR \"order\" = 2"),
            "CAST ( x AS DOUBLE ) >= 1 OR \"ORDER\" = 2");
  EXPECT_EQ(in(Kind::kTrino, "CASE WHEN x < 4 THEN '0-3' ELSE 'more' END"),
            "CASE WHEN x < 4 THEN '0-3' ELSE 'more' END");
}

TEST(PortableSql, KnowsConditionsFromValues) {
  const auto is_condition = [](const std::string& text) {
    return portable_sql(text, SqlDialect(Kind::kPostgres), "s").is_condition;
  };
  for (const char* text : {"a > 1", "a IS NULL", "NOT a", "dx LIKE 'x%'", "true", "a IN (1)", "a >= 1"}) {
    EXPECT_TRUE(is_condition(text)) << text;
  }
  for (const char* text : {"sex", "CASE WHEN a > 1 THEN 'x' END", "coalesce(a, 1)", "a + 1", "'yes'"}) {
    EXPECT_FALSE(is_condition(text)) << text;
  }
}

TEST(PortableSql, RefusesWhatDoesNot) {
  const auto refusal_in_postgres = [](const std::string& text) {
    return base::complaint_of([&] { in(Kind::kPostgres, text); });
  };
  EXPECT_THAT(
      refusal_in_postgres("regexp_matches(x, 'a')"),
      AllOf(HasSubstr("s.toml: filters.where: the function regexp_matches"), HasSubstr("make a view")));
  EXPECT_THAT(refusal_in_postgres("x / 2 = 1"), HasSubstr("\"/\""));
  EXPECT_THAT(refusal_in_postgres("x || 'a' = 'b'"), HasSubstr("\"|\""));
  EXPECT_THAT(refusal_in_postgres("x::DATE > y"), HasSubstr("a cast to DATE"));
  EXPECT_THAT(refusal_in_postgres("x LIKE '50\\%'"), HasSubstr("a text with a backslash"));
  EXPECT_THAT(refusal_in_postgres("x = 1 -- note"), HasSubstr("\"--\""));
  EXPECT_THAT(refusal_in_postgres("x = 'a"), HasSubstr("a quote that is not closed"));
  EXPECT_THAT(refusal_in_postgres("(x = 1"), HasSubstr("a parenthesis that is not closed"));
  EXPECT_THAT(refusal_in_postgres("x = 1)"), HasSubstr("a parenthesis that was not opened"));
  EXPECT_THAT(refusal_in_postgres("x = 1; DROP TABLE t"), HasSubstr("\";\""));
}

}  // namespace
}  // namespace interpole::data
