// A table in memory as a table function of DuckDB: rows in their order, by one thread.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "interpole/data/sources/memory_table.hpp"
#include "interpole/data/tables/duckdb_source.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using HeldContent = std::shared_ptr<const MemoryTableContent>;

const MemoryTable& table_of(void* extra_info) {
  return (*static_cast<const HeldContent*>(extra_info))->table();
}

// One reading of the table.
struct MemoryScan {
  std::vector<std::size_t> wanted;  // columns
  std::size_t row = 0;
};

void bind_memory(duckdb_bind_info info) {
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  const MemoryTable& table = table_of(duckdb_bind_get_extra_info(info));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    duckdb_bind_add_result_column(info, fmt::format("c{}", i).c_str(), text);
  }
  duckdb_destroy_logical_type(&text);
}

void begin_memory(duckdb_init_info info) {
  const std::size_t columns = table_of(duckdb_init_get_extra_info(info)).columns.size();
  auto scan = std::make_unique<MemoryScan>();
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    // Where nothing but the number of rows is asked for, DuckDB names a column that there is not.
    scan->wanted.push_back(std::min<std::size_t>(duckdb_init_get_column_index(info, i), columns));
  }
  duckdb_init_set_max_threads(info, 1);
  duckdb_init_set_init_data(info, scan.release(), [](void* data) { delete static_cast<MemoryScan*>(data); });
}

void put_rows(const MemoryColumn& column, std::size_t first, std::size_t rows, duckdb_vector vector) {
  CellBuffer buffer;
  std::uint64_t* validity = nullptr;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string_view text = cell_text(column, first + i, buffer);
    if (!text.empty()) {
      put_text(vector, i, text);
      continue;
    }
    if (validity == nullptr) {
      duckdb_vector_ensure_validity_writable(vector);
      validity = duckdb_vector_get_validity(vector);
    }
    duckdb_validity_set_row_invalid(validity, i);
  }
}

void fill_from_memory(duckdb_function_info info, duckdb_data_chunk chunk) {
  const MemoryTable& table = table_of(duckdb_function_get_extra_info(info));
  auto& scan = *static_cast<MemoryScan*>(duckdb_function_get_init_data(info));
  const std::size_t rows =
      std::min<std::size_t>(static_cast<std::size_t>(table.rows) - scan.row, duckdb_vector_size());
  for (std::size_t i = 0; i < scan.wanted.size(); ++i) {
    if (scan.wanted[i] == table.columns.size()) continue;
    put_rows(table.columns[scan.wanted[i]], scan.row, rows, duckdb_data_chunk_get_vector(chunk, i));
  }
  scan.row += rows;
  duckdb_data_chunk_set_size(chunk, rows);
}

}  // namespace

DuckdbSource open_memory(const DuckdbConnection& connection, const std::string& path) {
  static std::atomic<std::uint64_t> opened = 0;
  auto content = memory_table(path);
  DuckdbSource source;
  for (const MemoryColumn& column : content->table().columns) {
    source.names.push_back(fmt::format("c{}", source.columns.size()));
    source.columns.push_back(column.name);
  }
  source.types.assign(source.columns.size(), DUCKDB_TYPE_VARCHAR);
  source.first_row = content->table().first_row;
  const std::string name = fmt::format("interpole_memory_{}", opened++);
  source.sql = name + "()";
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, name.c_str());
  duckdb_table_function_set_extra_info(function, new HeldContent(std::move(content)),
                                       [](void* held) { delete static_cast<HeldContent*>(held); });
  duckdb_table_function_set_bind(function, bind_memory);
  duckdb_table_function_set_init(function, begin_memory);
  duckdb_table_function_set_function(function, fill_from_memory);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const bool good = duckdb_register_table_function(connection.handle(), function) == DuckDBSuccess;
  duckdb_destroy_table_function(&function);
  if (!good) throw runtime_error("DuckDB does not take a table in memory");
  return source;
}

}  // namespace interpole::data
