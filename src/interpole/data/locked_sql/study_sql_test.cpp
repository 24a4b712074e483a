// What the SQL of a study may not do: the check that explains itself, and the locked database behind it.

#include "interpole/data/locked_sql/study_sql.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/locked_sql/sql_functions.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"

namespace interpole::data {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

const std::string kTable = "id,visit,act,score,size\n1,bl,wait,1,\n";

class StudySqlTest : public MappedTest {
 protected:
  std::string with_sql(const std::string& sql) {
    ClinicStudy study;
    study.source += "sql = '''" + sql + "'''\n";
    return refusal(study, kTable);
  }
  std::string with_where(const std::string& where) {
    ClinicStudy study;
    study.rest = "[filters]\nwhere = '''" + where + "'''\n";
    return refusal(study, kTable);
  }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
};

TEST(StudySql, ATextThatEndsBeforeItsEndIsRefused) {
  const DuckdbConnection connection({});
  const std::string sql("SELECT 1\0FROM visits", 20);
  EXPECT_THAT(base::complaint_of([&] { require_select(connection, sql, {"visits"}, "s.toml: source.sql"); }),
              HasSubstr("s.toml: source.sql: SQL with a NUL character; remove it"));
}

TEST_F(StudySqlTest, AllowsWhatComputesFromTheTables) {
  for (const char* sql :
       {"SELECT * FROM visits", "select * from VISITS;", "SELECT * FROM visits -- all of them", "FROM visits",
        "WITH a AS (SELECT * FROM visits), b AS (SELECT * FROM a) SELECT * FROM b WHERE id IN (SELECT id "
        "FROM a)",
        "SELECT * FROM visits UNION ALL SELECT * FROM visits WHERE false",
        "SELECT v.* FROM visits v, unnest([1]) AS u(x), range(1) AS r",
        "SELECT *, last_value(score IGNORE NULLS) OVER (PARTITION BY id ORDER BY visit) AS s FROM visits",
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1) SELECT visits.* FROM "
        "visits, n"}) {
    EXPECT_EQ(with_sql(sql), "accepted") << sql;
  }
}

TEST_F(StudySqlTest, RefusesEverythingButOneSelect) {
  for (const std::string sql : {"COPY visits TO 'out.csv'",
                                "COPY (SELECT * FROM visits) TO 'out.parquet'",
                                "ATTACH 'x.db'",
                                "INSTALL httpfs",
                                "LOAD httpfs",
                                "SET memory_limit = '100GB'",
                                "SET enable_external_access = true",
                                "PRAGMA enable_profiling",
                                "CREATE TABLE t AS SELECT 1",
                                "DROP VIEW visits",
                                "EXPORT DATABASE 'x'",
                                "CALL enable_logging()",
                                "SELECT 1; COPY visits TO 'out.csv'",
                                "COPY visits TO 'out.csv'; SELECT * FROM visits",
                                "EXPLAIN SELECT 1",
                                "VACUUM",
                                "CHECKPOINT",
                                "RESET memory_limit",
                                "CREATE MACRO f() AS 1",
                                "INSERT INTO visits VALUES (1)"}) {
    EXPECT_THAT(with_sql(sql), HasSubstr("s.toml: source.sql: must be one SELECT statement")) << sql;
  }
  EXPECT_EQ(with_sql("SELECT * FROM visits; SELECT 1"),
            "s.toml: source.sql: must be one SELECT statement; the SQL of a study reads its tables and does "
            "nothing "
            "else");
  EXPECT_THAT(with_sql("-- later"), HasSubstr("source.sql: must be one SELECT statement"));
  EXPECT_EQ(files_in_folder(), 1U);  // the table itself
}

TEST_F(StudySqlTest, RefusesTableFunctionsThatReachOutside) {
  for (const std::string call :
       {"read_csv('/etc/passwd')", "read_csv_auto('/etc/passwd')", "read_text('/etc/passwd')",
        "read_blob('/etc/passwd')", "glob('/etc/*')", "sniff_csv('/etc/passwd')", "read_json('/etc/x.json')",
        "read_parquet('https://example.org/x')", "parquet_metadata('x.parquet')", "query('SELECT 1')",
        "query_table('visits')", "json_execute_serialized_sql('{}')", "duckdb_settings()", "duckdb_secrets()",
        "pragma_version()", "system.main.enable_logging(storage='file', storage_path='x')",
        "\"enable_logging\"('QueryLog', storage='stdout')", "ENABLE_LOGGING()", "checkpoint()"}) {
    EXPECT_THAT(with_sql("SELECT visits.* FROM visits, " + call),
                HasSubstr("may not be used in a study: SQL reads the"))
        << call;
    EXPECT_THAT(with_where("id IN (SELECT 1 FROM " + call + ")"),
                HasSubstr("s.toml: filters.where: the table function"))
        << call;
  }
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(StudySqlTest, RefusesFunctionsThatTellOfTheDatabase) {
  for (const std::string call : {"current_setting('temp_directory')",
                                 "CURRENT_SETTING('memory_limit')",
                                 "\"current_setting\"('x')",
                                 "main.current_setting('x')",
                                 "system.main.current_setting('x')",
                                 "getvariable('x')",
                                 "current_query()",
                                 "current_database()",
                                 "current_schemas(true)",
                                 "version()",
                                 "txid_current()",
                                 "nextval('s')",
                                 "setseed(0.5)",
                                 "write_log('x')",
                                 "in_search_path('a', 'b')",
                                 "pg_get_viewdef(1)",
                                 "inet_client_addr()",
                                 "has_table_privilege('visits', 'select')",
                                 "json_serialize_sql('SELECT 1')",
                                 "json_deserialize_sql('{}')",
                                 "getenv('HOME')",
                                 "read_text('/etc/passwd')",
                                 "stats(id)",
                                 "obj_description(1, 'x')"}) {
    EXPECT_THAT(with_sql("SELECT * FROM visits WHERE " + call + " IS NULL"),
                HasSubstr("is not a function that a study may use"))
        << call;
    EXPECT_THAT(with_where(call + " IS NULL"), HasSubstr("s.toml: filters.where: \"")) << call;
    EXPECT_THAT(with_sql("SELECT * FROM visits ORDER BY list_transform([1], x -> " + call + ")"),
                HasSubstr("is not a function that a study may use"))
        << call;
    EXPECT_THAT(with_sql("SELECT *, count(id) FILTER (WHERE " + call + " IS NULL) OVER () AS f FROM visits"),
                HasSubstr("is not a function that a study may use"))
        << call;
  }
  EXPECT_EQ(
      with_where("uper(act) = 'WAIT'"),
      "s.toml: filters.where: \"uper\" is not a function that a study may use: these compute from numbers, "
      "text, dates, lists and JSON, and tell nothing of the database; did you mean \"upper\"?");
  // Macros of an attached database are nobody's but its own.
  EXPECT_THAT(with_where("clinic.main.lower(act) = ''"), HasSubstr("is not a function that a study may use"));
  EXPECT_THAT(with_where("other.lower(act) = ''"), HasSubstr("is not a function that a study may use"));
}

TEST_F(StudySqlTest, AllowsFunctionsThatCompute) {
  for (const std::string where :
       {"UPPER(act) = 'WAIT'", "system.main.lower(act) = 'wait'", "coalesce(score, '0')::INT + 1 > 0",
        "regexp_matches(act, '^w')", "date_diff('day', DATE '2020-01-01', DATE '2020-01-31') = 30",
        "list_contains(['wait', 'test'], act)", "len(list_filter([1, 2], x -> x > 1)) = 1",
        "strptime('2020-01-01', '%Y-%m-%d') < now()", "CASE WHEN act LIKE 'w%' THEN true ELSE false END",
        "json_extract_string('{\"a\": 1}', '$.a') = '1'", "act ~ 'w.*' AND act || 'x' <> ''",
        "extract(year FROM DATE '2020-01-01') = 2020", "greatest(1, 2) BETWEEN 1 AND 2", "id IN ('1', '2')",
        "try_cast(score AS DOUBLE) IS NULL", "{'a': 1}.a = 1", "(SELECT count(*) FROM visits) > 0"}) {
    EXPECT_EQ(with_where(where), "accepted") << where;
  }
  EXPECT_EQ(with_sql("SELECT *, row_number() OVER w AS n, lag(score) OVER w AS l, avg(id::INT) OVER w AS a "
                     "FROM visits WINDOW w AS (PARTITION BY id ORDER BY visit)"),
            "accepted");
}

TEST_F(StudySqlTest, NamesOfTableExpressionsHoldWhereTheyAreMade) {
  const std::string made = "(WITH other AS (SELECT * FROM visits) SELECT * FROM other)";
  EXPECT_EQ(with_sql("SELECT * FROM " + made), "accepted");
  const std::vector<std::string> outside = {
      "SELECT visits.* FROM visits, " + made + " AS v, other",
      "SELECT visits.* FROM other, visits, " + made,
      "SELECT * FROM visits WHERE id IN (WITH other AS (SELECT 1) FROM other) AND id IN (FROM other)",
      "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM visits) SELECT * FROM a",
      "WITH a AS (WITH b AS (FROM visits) FROM b) SELECT * FROM b",
      "WITH \"/etc/passwd\" AS (SELECT * FROM '/etc/passwd') SELECT * FROM visits",
      "WITH a AS (SELECT * FROM a) SELECT * FROM a",
      ("SELECT visits.* FROM (WITH duckdb_settings AS (FROM visits) FROM duckdb_settings) AS v, "
       "duckdb_settings AS s, visits")};
  for (const std::string& sql : outside) {
    EXPECT_THAT(with_sql(sql), HasSubstr("is not a table of this study")) << sql;
  }
  EXPECT_EQ(with_sql("WITH visits AS (SELECT * FROM visits WHERE id = '1') SELECT * FROM visits"),
            "accepted");
  EXPECT_EQ(with_sql("WITH a AS (FROM visits) SELECT * FROM visits WHERE id IN (SELECT id FROM a)"),
            "accepted");
}

// Every function of this DuckDB is either allowed or one of these kinds: one that is new must be looked at.
TEST_F(StudySqlTest, KnowsEveryFunction) {
  const DuckdbConnection connection({});
  DuckdbQuery query(
      connection,
      "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('scalar', "
      "'aggregate', 'macro') AND regexp_matches(function_name, '^[a-zA-Z]') AND NOT "
      "regexp_matches(function_name, '^(icu_|pg_|inet_|has_.*_privilege$|current_|.*obj_description$)')",
      "functions");
  std::vector<std::string> refused;
  while (const duckdb_data_chunk chunk = query.fetch()) {
    std::vector<Cell> cells;
    copy_cells(chunk, 0, cells);
    for (std::size_t i = 0; i < duckdb_data_chunk_get_size(chunk); ++i) {
      if (!is_allowed_sql_function(cells[i].text)) refused.emplace_back(cells[i].text);
    }
  }
  EXPECT_THAT(
      refused,
      testing::UnorderedElementsAre(
          "can_cast_implicitly", "cast_to_type", "col_description", "combine", "create_sort_key", "currval",
          "finalize", "format_pg_type", "format_type", "generate_subscripts", "get_block_size",
          "get_current_time", "getvariable", "in_search_path", "is_histogram_other_bin",
          "json_deserialize_sql", "json_serialize_plan", "json_serialize_sql", "map_to_pg_oid", "nextval",
          "parse_duckdb_log_message", "remap_struct", "replace_type", "session_user", "setseed", "stats",
          "timetz_byte_comparable", "transaction_timestamp", "txid_current", "unpivot_list", "user",
          "variant_extract", "variant_typeof", "vector_type", "version", "write_log"));
}

TEST_F(StudySqlTest, RefusesTablesThatAreNotTheStudys) {
  EXPECT_EQ(
      with_sql("SELECT * FROM '/etc/passwd'"),
      "s.toml: source.sql: \"/etc/passwd\" is not a table of this study; source.tables lists \"visits\"");
  EXPECT_THAT(with_sql("SELECT * FROM 'https://example.org/x.csv'"),
              HasSubstr("is not a table of this study"));
  EXPECT_THAT(with_sql("SELECT * FROM visit"),
              HasSubstr("\"visit\" is not a table of this study; did you mean \"visits\"?"));
  EXPECT_THAT(with_sql("SELECT * FROM information_schema.tables"), HasSubstr("is not a table of this study"));
  EXPECT_THAT(with_sql("SELECT * FROM duckdb_settings"), HasSubstr("is not a table of this study"));
  EXPECT_THAT(with_sql("SELECT * FROM (DESCRIBE visits)"), HasSubstr("DESCRIBE and SHOW are no tables"));
  EXPECT_THAT(with_sql("SELECT (SELECT max(x) FROM 'other.csv') FROM visits"),
              HasSubstr("\"other.csv\" is not a table"));
}

TEST_F(StudySqlTest, RefusesExpressionsThatAreMoreThanOne) {
  EXPECT_EQ(with_where("id = '1'"), "accepted");
  EXPECT_EQ(with_where("id = '1' -- the first"), "accepted");
  EXPECT_EQ(with_where("id IN (SELECT id FROM visits)"), "accepted");
  for (const char* where : {"true), (false", "true) FROM visits WHERE (true", "true) UNION SELECT (false",
                            "id = '1') LIMIT (1"}) {
    EXPECT_EQ(with_where(where),
              "s.toml: filters.where: must be one expression, such as \"AGE::DOUBLE >= 55\"")
        << where;
  }
  EXPECT_THAT(with_where("true); COPY visits TO 'x.csv'; SELECT (true"),
              HasSubstr("filters.where: must be one expression"));
  EXPECT_THAT(with_where("id ="), HasSubstr("s.toml: filters.where: syntax error"));
  EXPECT_THAT(with_where("id"),
              HasSubstr("s.toml: filters.where: must be a condition, true or false for a row"));
  EXPECT_THAT(with_where("scores = '1'"),
              HasSubstr("not found in FROM clause; the nearest columns are \"score\""));
  EXPECT_THAT(with_where("nothing = '1'"),
              HasSubstr("s.toml: filters.where: Referenced column \"nothing\" not found"));
  for (const char* where : {"count(*) > 1", "count(*) > 1 AND id = '1'", "max(score) = '1'"}) {
    EXPECT_THAT(with_where(where), HasSubstr("s.toml: filters.where: column \"")) << where;
  }
  EXPECT_THAT(with_where("getenv('HOME') = ''"),
              HasSubstr("s.toml: filters.where: \"getenv\" is not a function that a study may use"));
  EXPECT_THAT(with_where("read_text('x') IS NULL"), HasSubstr("s.toml: filters.where: "));
}

TEST_F(StudySqlTest, RefusesWhatIsNestedTooDeeply) {
  for (const int depth : {900, 1500, 20000}) {
    std::string negations;
    for (int i = 0; i < depth; ++i) negations += "NOT ";
    EXPECT_EQ(with_sql("SELECT * FROM visits WHERE " + negations + "true"),
              "s.toml: source.sql: the SQL is nested too deeply; simplify it")
        << depth;
  }
}

TEST_F(StudySqlTest, SaysHowToCompareNumbers) {
  EXPECT_THAT(with_where("score >= 5"), HasSubstr("cells of a CSV file are text: write AGE::DOUBLE"));
  EXPECT_THAT(with_where("score + 1 = 2"), HasSubstr("cells of a CSV file are text: write AGE::DOUBLE"));
  EXPECT_THAT(with_where("act::DOUBLE > 1"), HasSubstr("Could not convert string 'wait' to DOUBLE"));
}

// The second door: what would happen to statements that got past the check.
TEST_F(StudySqlTest, TheDatabaseItselfIsLocked) {
  const Study study = ClinicStudy().parse();
  const std::string secret = file("secret.csv", "a,b\n1,2\n");
  const std::string out = folder_.file("out.csv");
  LockedTables tables(*study.mapping, data_file(file("visits.csv", kTable)));
  const auto attempt = [&](const std::string& sql) { return refusal_of([&] { tables.first_rows(sql, 0); }); };
  EXPECT_EQ(attempt("SELECT * FROM visits"), "accepted");
  for (const std::string& sql :
       {"COPY visits TO '" + out + "'", "EXPORT DATABASE '" + folder_.file("x") + "'",
        "ATTACH '" + folder_.file("x.db") + "'", "SELECT * FROM read_csv('" + secret + "')",
        "SELECT * FROM read_text('" + secret + "')", "SELECT * FROM '" + secret + "'",
        "SELECT * FROM glob('" + folder_.path() + "/*')",
        std::string("SELECT * FROM read_text('/etc/passwd')"),
        std::string("SELECT * FROM read_csv('https://example.org/x.csv')")}) {
    EXPECT_THAT(attempt(sql), AnyOf(HasSubstr("Cannot access"), HasSubstr("disabled by configuration")))
        << sql;
  }
  EXPECT_THAT(attempt("INSTALL httpfs"), HasSubstr("disabled"));
  EXPECT_THAT(attempt("LOAD httpfs"), HasSubstr("disabled"));
  for (const char* sql : {"SET memory_limit = '100GB'", "SET enable_external_access = true",
                          "SET allowed_paths = ['/etc/passwd']", "SET lock_configuration = false",
                          "SET temp_directory = '/tmp'"}) {
    EXPECT_NE(attempt(sql), "accepted") << sql;
  }
  EXPECT_NE(attempt("SELECT getenv('HOME')"), "accepted");
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(files_in_folder(), 2U);
}

TEST_F(StudySqlTest, LeavesNoTemporaryFolderBehind) {
  const std::string visits = file("visits.csv", kTable);
  const Study study = ClinicStudy().parse();
  ::setenv("TMPDIR", folder_.path().c_str(), 1);
  {
    const LockedTables tables(*study.mapping, data_file(visits));
    EXPECT_EQ(files_in_folder(), 2U);
  }
  ::unsetenv("TMPDIR");
  EXPECT_EQ(files_in_folder(), 1U);
}

}  // namespace
}  // namespace interpole::data
