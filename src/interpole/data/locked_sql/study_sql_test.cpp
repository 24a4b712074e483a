// What the SQL of a study may not do: the check that explains itself, and the locked database behind it.

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "interpole/data/locked_sql/locked_tables.hpp"
#include "interpole/data/mapping/mapped_testing.hpp"

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
  EXPECT_THAT(with_sql("SELECT * FROM visits WHERE id = write_log('x')"),
              HasSubstr("write_log may not be used"));
  EXPECT_EQ(files_in_folder(), 1U);
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
              HasSubstr("s.toml: filters.where: Scalar Function with name getenv does not exist"));
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
