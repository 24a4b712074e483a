#include "interpole/data/tables/database_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "interpole/base/abandoned.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/data_files.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

struct DatabaseTable {
  std::string schema;
  std::string name;

  // As people name it.
  std::string shown_name() const { return schema == "main" ? name : schema + "." + name; }
};

// What an attached file is called; no table of a study can be called that.
std::string catalog_of(const std::string& file) {
  return "interpole " + absolute_path(file);
}

std::vector<DatabaseTable> tables_of(const DuckdbConnection& connection, const std::string& file) {
  DuckdbQuery query(
      connection,
      fmt::format("SELECT schema_name, name FROM (SELECT database_name, schema_name, table_name AS name FROM "
                  "duckdb_tables() WHERE NOT internal UNION ALL SELECT database_name, schema_name, view_name "
                  "FROM duckdb_views() WHERE NOT internal) WHERE database_name = {} "
                  "ORDER BY schema_name <> 'main', schema_name, name",
                  sql_text(catalog_of(file))),
      file);
  std::vector<DatabaseTable> tables;
  std::vector<Cell> schemas;
  std::vector<Cell> names;
  while (const duckdb_data_chunk chunk = query.fetch()) {
    copy_cells(chunk, 0, schemas);
    copy_cells(chunk, 1, names);
    for (std::size_t i = 0; i < names.size(); ++i)
      tables.push_back({std::string(schemas[i].text), std::string(names[i].text)});
  }
  return tables;
}

std::optional<DatabaseTable> find_table(const std::vector<DatabaseTable>& tables, const std::string& name) {
  const auto it = std::find_if(tables.begin(), tables.end(), [&](const DatabaseTable& table) {
    return same_table_name(table.shown_name(), name);
  });
  return it == tables.end() ? std::nullopt : std::optional(*it);
}

DatabaseTable choose_table(const std::vector<DatabaseTable>& tables, const TableLocation& location,
                           const std::string& preferred) {
  if (tables.empty())
    throw input_error(fmt::format("{}: the database holds no table; nothing to learn from", location.file));
  std::vector<std::string> names;
  names.reserve(tables.size());
  for (const DatabaseTable& table : tables) names.push_back(table.shown_name());
  if (!location.table.empty()) {
    if (const auto named = find_table(tables, location.table)) return *named;
    throw input_error(fmt::format("{}: the database has no table {}{}", location.file,
                                  base::shown(location.table),
                                  base::suggestion(location.table, names, "its tables are")));
  }
  if (const auto meant = find_table(tables, preferred)) return *meant;
  if (tables.size() == 1) return tables.front();
  throw input_error(fmt::format("{0}: the database holds {1} tables: {2}; say which one, as in {0}#{3}",
                                location.file, tables.size(), base::name_list(names), names.front()));
}

// A damaged file can keep DuckDB busy for ever while it is opened, and no interrupt reaches it there. So it
// is opened once on a thread that can be left behind.
constexpr auto kMostSecondsToOpen = std::chrono::seconds(10);

std::string attach_sql(const std::string& file) {
  return fmt::format("ATTACH IF NOT EXISTS {} AS {} (TYPE duckdb, READ_ONLY)", sql_text(absolute_path(file)),
                     sql_identifier(catalog_of(file)));
}

void open_and_close(const std::string& file) {
  try {
    const DuckdbOption options[] = {{"temp_directory", ""}};
    DuckdbConnection connection(options);
    connection.run(attach_sql(file), file);
  } catch (const std::exception&) {  // said when the file is attached for good
  }
}

void require_opens(const std::string& file) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> opened = done->get_future();
  std::thread opening([done, file] {
    open_and_close(file);
    done->set_value();
  });
  if (opened.wait_for(kMostSecondsToOpen) == std::future_status::ready) return opening.join();
  base::note_abandoned_thread();
  opening.detach();
  throw input_error(fmt::format(
      "{}: opening it takes more than {} seconds; the database is damaged, write it again from its "
      "tables",
      file, kMostSecondsToOpen.count()));
}

}  // namespace

void attach_database(DuckdbConnection& connection, const std::string& file) {
  require_readable(file);
  require_opens(file);
  connection.run(attach_sql(file), file);
}

DuckdbSource open_database_table(const DuckdbConnection& connection, const TableLocation& location,
                                 const std::string& preferred) {
  const DatabaseTable table = choose_table(tables_of(connection, location.file), location, preferred);
  return described_source(connection,
                          fmt::format("{}.{}.{}", sql_identifier(catalog_of(location.file)),
                                      sql_identifier(table.schema), sql_identifier(table.name)),
                          fmt::format("{}#{}", location.file, table.shown_name()));
}

}  // namespace interpole::data
