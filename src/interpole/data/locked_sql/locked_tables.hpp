// The user's files as tables of a database that can do nothing but compute: it reads these files and no
// others, writes nothing but its own overflow into a private folder that is removed, loads no extensions, and
// its settings are locked before any SQL of the study is parsed. Internal.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpole/base/files/temporary_folder.hpp"
#include "interpole/data_files.hpp"
#include "interpole/table_mapping.hpp"

namespace interpole::data {

class DuckdbConnection;
class PlainCsvTable;

class LockedTables {
 public:
  // Opens the files under the mapping's names, locks the database, then sets up the mapping's own SELECT.
  LockedTables(const TableMapping& mapping, const DataFiles& files);
  ~LockedTables();

  const DuckdbConnection& connection() const { return *connection_; }
  const std::vector<std::string>& columns() const { return columns_; }  // of the rows to be mapped
  // Those whose cells are lists or objects.
  const std::vector<std::string>& nested_columns() const { return nested_; }
  const std::string& files() const { return shown_; }  // for messages

  // SQL to select the rows from; the second has a column more, kRowNumber, as people find rows by.
  const std::string& source() const { return source_; }
  // The same rows in any order, read faster: for queries that give out nothing before they have read all.
  // They may fail where those of source() do not, so ask that then. Empty: there is none.
  const std::string& quick_source() const { return quick_source_; }
  std::string numbered_source() const;
  static constexpr const char* kRowNumber = "interpole_row";

  // Whether rows are those of one file, so that they have numbers.
  bool has_row_numbers() const { return first_row_.has_value(); }

  // The first rows (some thousand at most) of a query whose first `columns` columns are text; NULL is empty.
  std::vector<std::vector<std::string>> first_rows(const std::string& sql, std::size_t columns) const;

 private:
  void open_table(const std::string& name, const std::vector<std::string>& parts,
                  const SourceTables& options);
  void open_quick_source(const std::string& name, const std::string& file, char delimiter,
                         const std::vector<std::string>& columns, const std::vector<std::string>& missing);

  base::TemporaryFolder folder_;
  std::unique_ptr<PlainCsvTable> plain_;  // outlives the connection
  std::unique_ptr<DuckdbConnection> connection_;
  std::string shown_;
  std::string source_;
  std::string quick_source_;
  std::vector<std::string> columns_;
  std::vector<std::string> nested_;
  std::optional<std::int64_t> first_row_;
};

}  // namespace interpole::data
