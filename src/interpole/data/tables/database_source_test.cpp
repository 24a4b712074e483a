#include "interpole/data/tables/database_source.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "interpole/data/mapping/mapped_testing.hpp"
#include "interpole/data/records/visits_testing.hpp"

namespace interpole::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kVisitsOfBoth =
    "CREATE TABLE visits (id INTEGER, visit VARCHAR, act VARCHAR, score DOUBLE, size VARCHAR);"
    "INSERT INTO visits VALUES (2, 'bl', 'wait', 6, NULL), (1, ' bl', 'wait', 1, ''), (1, 'm06', 'scan', -4, "
    "'large'), (1, 'm12', 'scan', 3, 'NA');";

class DatabaseTest : public MappedTest {
 protected:
  // A database made by these statements.
  std::string database(const std::string& name, const std::string& statements) {
    std::string path = folder_.file(name);
    DuckdbConnection connection({});
    connection.run(
        "ATTACH " + sql_text(path) + " AS made; USE made; " + statements + " USE memory; DETACH made", name);
    return path;
  }

  std::string refusal(const std::string& path, const ClinicStudy& study = {}) {
    return refusal_of([&] { records(study.parse(), data_file(path)); });
  }
};

TEST_F(DatabaseTest, TheOnlyTableIsMeantWhateverItsName) {
  const std::string path =
      database("a.duckdb", std::string(kVisitsOfBoth) + "ALTER TABLE visits RENAME TO everything;");
  EXPECT_THAT(records(ClinicStudy().parse(), data_file(path)),
              ElementsAre("1: wait/2@bl scan/-@m06 scan/-@m12", "2: wait/5@bl"));
}

TEST_F(DatabaseTest, AmongSeveralTheTableOfTheStudysNameIsMeant) {
  const std::string path =
      database("a.db", std::string(kVisitsOfBoth) +
                           "CREATE TABLE other AS SELECT 1 AS id; CREATE SCHEMA s;"
                           "CREATE TABLE s.visits AS SELECT * FROM visits WHERE id = 2;");
  EXPECT_EQ(records(ClinicStudy().parse(), data_file(path)).size(), 2U);
  EXPECT_THAT(records(ClinicStudy().parse(), data_file(path + "#s.visits")), ElementsAre("2: wait/5@bl"));
  EXPECT_EQ(records(ClinicStudy().parse(), data_file(path + "#VISITS")).size(), 2U);
}

TEST_F(DatabaseTest, ViewsAreTables) {
  const std::string path = database(
      "a.duckdb", std::string(kVisitsOfBoth) + "CREATE VIEW half AS SELECT * FROM visits WHERE id = 2;");
  EXPECT_THAT(records(ClinicStudy().parse(), data_file(path + "#half")), ElementsAre("2: wait/5@bl"));
}

TEST_F(DatabaseTest, OneDatabaseMayHoldAllTablesOfAStudy) {
  const std::string path =
      database("a.duckdb", std::string(kVisitsOfBoth) + "CREATE TABLE people AS SELECT 1 AS id, 'F' AS sex;");
  ClinicStudy study;
  study.source =
      "[source]\ntables = [\"visits\", \"people\"]\nmissing = [\"NA\", \"-4\"]\n"
      "sql = \"SELECT visits.* FROM visits JOIN people USING (id)\"\n";
  const std::vector<std::string> expected = {"1: wait/2@bl scan/-@m06 scan/-@m12"};
  EXPECT_EQ(records(study.parse(), data_file(path)), expected);
  EXPECT_EQ(records(study.parse(), {{{"people", path}, {"visits", path + "#visits"}}}), expected);
}

TEST_F(DatabaseTest, NamesOfFilesAreTakenAsTheyStand) {
  for (const char* name : {"it's [a] *.duckdb", "a#1.duckdb", "with \"quotes\".db"}) {
    EXPECT_EQ(records(ClinicStudy().parse(), data_file(database(name, kVisitsOfBoth))).size(), 2U) << name;
  }
}

TEST_F(DatabaseTest, AVisitsTableMayLieInADatabase) {
  const std::string path = database(
      "a.duckdb",
      "CREATE TABLE t (patient VARCHAR, step INTEGER, action VARCHAR, observation VARCHAR);"
      "INSERT INTO t VALUES ('b', 1, 'wait', 'low'), ('a', 1, 'wait', NULL), ('a', 2, 'wit', 'low');");
  const auto structure = Structure::unrestricted({"well", "ill"}, {"wait", "scan"}, {"low", "high"});
  EXPECT_EQ(refusal_of([&] { read_records(path, structure); }),
            "a.duckdb: row 3: column action: \"wit\" is not an action of this study; did you mean \"wait\"?");
}

TEST_F(DatabaseTest, RowsHaveNumbers) {
  EXPECT_THAT(refusal(database("a.duckdb",
                               std::string(kVisitsOfBoth) + "UPDATE visits SET act = 'wat' WHERE id = 2;")),
              HasSubstr("column act: \"wat\" is not an action of this study; did you mean \"wait\"?"));
  EXPECT_THAT(refusal(database("b.duckdb", std::string(kVisitsOfBoth) +
                                               "INSERT INTO visits (id, visit, act) VALUES (3, 'bl', 'x');")),
              HasSubstr("b.duckdb: row 5: column act: \"x\""));
}

TEST_F(DatabaseTest, SaysWhichTablesThereAre) {
  const std::string path = database("a.duckdb", "CREATE TABLE t1 (i INTEGER); CREATE TABLE t2 (i INTEGER);");
  EXPECT_EQ(refusal(path),
            "a.duckdb: the database holds 2 tables: \"t1\", \"t2\"; say which one, as in a.duckdb#t1");
  EXPECT_EQ(refusal(path + "#t3"), "a.duckdb: the database has no table \"t3\"; did you mean \"t1\"?");
  EXPECT_EQ(refusal(path + "#something"),
            "a.duckdb: the database has no table \"something\"; its tables are \"t1\", \"t2\"");
  EXPECT_EQ(refusal(database("b.duckdb", "")),
            "b.duckdb: the database holds no table; nothing to learn from");
}

TEST_F(DatabaseTest, RefusesWhatIsNoDatabase) {
  for (const std::string& bytes : {std::string(), std::string(9000, 'x'), std::string("SQLite format 3")}) {
    EXPECT_THAT(refusal(file("a.duckdb", bytes)),
                HasSubstr("a.duckdb: not a DuckDB database; write it again"));
  }
  EXPECT_THAT(refusal(folder_.file("none.duckdb")), HasSubstr("none.duckdb: cannot be read: No such file"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("none.duckdb")));
}

TEST_F(DatabaseTest, RefusesADatabaseThatIsOpenForWriting) {
  // Locks keep other processes out, not the one that holds them.
  const std::string path = database("a.duckdb", kVisitsOfBoth);
  int ready[2];
  int done[2];
  ASSERT_EQ(::pipe(ready) + ::pipe(done), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    duckdb_database held = nullptr;
    char byte = duckdb_open(path.c_str(), &held) == DuckDBSuccess ? 'y' : 'n';
    if (::write(ready[1], &byte, 1) == 1) static_cast<void>(::read(done[0], &byte, 1));
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_THAT(refusal(path),
              HasSubstr("a.duckdb: another program has the database open for writing; close it"));
  ASSERT_EQ(::write(done[1], &byte, 1), 1);
  ::waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
}

TEST_F(DatabaseTest, LeavesTheFileAsItWas) {
  const std::string path = database("a.duckdb", kVisitsOfBoth);
  const auto bytes = [&] {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes();
  records(ClinicStudy().parse(), data_file(path));
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(DatabaseTest, AViewOfTheDatabaseReachesNoOtherFile) {
  const std::string secret = file("secret.csv", "id,visit,act,score,size\n1,bl,wait,1,\n");
  const std::string path =
      database("a.duckdb", "CREATE VIEW visits AS SELECT * FROM read_csv(" + sql_text(secret) + ");");
  EXPECT_THAT(refusal(path), HasSubstr("secret.csv"));
  EXPECT_THAT(refusal(path), HasSubstr("disabled by configuration"));
}

TEST_F(DatabaseTest, SqlOfAStudyReachesNoOtherTableOfTheDatabase) {
  const std::string path =
      database("a.duckdb", std::string(kVisitsOfBoth) + "CREATE TABLE secret AS SELECT 1 AS id;");
  for (const std::string& table :
       {std::string("secret"), sql_identifier("interpole " + path) + ".main.secret"}) {
    ClinicStudy study;
    study.source = "[source]\ntables = [\"visits\"]\nsql = '''SELECT * FROM " + table + "'''\n";
    EXPECT_THAT(refusal(path, study), HasSubstr("\"secret\" is not a table of this study")) << table;
  }
}

TEST_F(DatabaseTest, ColumnsOfListsAreRefusedOnlyWhereTheyAreNamed) {
  const std::string path = database(
      "a.duckdb", std::string(kVisitsOfBoth) +
                      "ALTER TABLE visits ADD COLUMN notes VARCHAR[]; UPDATE visits SET notes = ['x'];");
  EXPECT_EQ(records(ClinicStudy().parse(), data_file(path)).size(), 2U);
  ClinicStudy study;
  study.action = "[action]\npresent = \"notes\"\nif_present = \"scan\"\nif_absent = \"wait\"\n";
  EXPECT_EQ(
      refusal(path, study),
      "a.duckdb: column \"notes\", which action.present in s.toml names, holds lists or objects, not values; "
      "take what is needed out of it in source.sql and name that");
}

TEST_F(DatabaseTest, TypesOfTheirOwnBecomeText) {
  const std::string path = database("a.duckdb",
                                    "CREATE TYPE visit_code AS ENUM ('bl', 'm06', 'NA'); CREATE TABLE visits "
                                    "(id UUID, visit visit_code, act "
                                    "VARCHAR, score DECIMAL(4,1), size BOOLEAN); INSERT INTO visits VALUES "
                                    "('00000000-0000-0000-0000-000000000001', 'm06', 'scan', 9.0, true), "
                                    "('00000000-0000-0000-0000-000000000001', 'bl', 'scan', -4.0, false), "
                                    "('00000000-0000-0000-0000-000000000001', 'NA', 'scan', 1.0, false);");
  ClinicStudy study;
  const std::size_t at = study.factors.find("levels = [\"small\"");
  study.factors.insert(at, "values = { true = \"large\", false = \"small\" }\n");
  MappingReport report;
  EXPECT_THAT(records(study.parse(), data_file(path), &report),
              ElementsAre("00000000-0000-0000-0000-000000000001: scan/-@bl scan/4@m06"));
  EXPECT_EQ(dropped(report, "no visit (visit)"), "1/0");
}

}  // namespace
}  // namespace interpole::data
