#include "interpole/data/tables/duckdb_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpole/data/tables/duckdb_error.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

std::string_view reason_or_none(const char* reason) {
  return reason == nullptr ? "no reason given" : reason;
}

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == '\0') throw input_error("a name or text with a NUL character cannot be looked for; remove it");
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

}  // namespace

DuckdbConnection::DuckdbConnection(std::span<const DuckdbOption> options) {
  duckdb_config config = nullptr;
  bool good = duckdb_create_config(&config) == DuckDBSuccess;
  for (const char* option :
       {"autoinstall_known_extensions", "autoload_known_extensions", "allow_community_extensions"}) {
    good = good && duckdb_set_config(config, option, "false") == DuckDBSuccess;
  }
  for (const auto& [option, value] : options) {
    good = good && duckdb_set_config(config, option, value.c_str()) == DuckDBSuccess;
  }
  // As many threads as cores, all of them ours: DuckDB starts none.
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const std::string count = std::to_string(threads);
  good = good && duckdb_set_config(config, "threads", count.c_str()) == DuckDBSuccess &&
         duckdb_set_config(config, "external_threads", count.c_str()) == DuckDBSuccess;
  char* reason = nullptr;
  good = good && duckdb_open_ext(nullptr, &database_, config, &reason) == DuckDBSuccess &&
         duckdb_connect(database_, &connection_) == DuckDBSuccess;
  duckdb_destroy_config(&config);
  if (!good) {
    const std::string message = fmt::format("DuckDB does not start: {}", reason_or_none(reason));
    duckdb_free(reason);
    duckdb_close(&database_);
    throw runtime_error(message);
  }
  start_workers(threads - 1);  // the caller's thread works too
}

DuckdbConnection::~DuckdbConnection() {
  stop_workers();
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

void DuckdbConnection::start_workers(unsigned count) {
  tasks_ = duckdb_create_task_state(database_);
  for (unsigned i = 0; i < count; ++i) {
    workers_.emplace_back([state = tasks_] { duckdb_execute_tasks_state(state); });
  }
}

void DuckdbConnection::stop_workers() {
  if (tasks_ == nullptr) return;
  duckdb_finish_execution(tasks_);
  for (std::thread& worker : workers_) worker.join();
  duckdb_destroy_task_state(tasks_);
}

void DuckdbConnection::run(const std::string& sql, const std::string& where) {
  duckdb_result result = {};
  const bool good = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
  const std::string reason(good ? "" : reason_or_none(duckdb_result_error(&result)));
  duckdb_destroy_result(&result);
  if (!good) throw translate_duckdb_error(reason, where);
}

DuckdbQuery::DuckdbQuery(const DuckdbConnection& connection, const std::string& sql, std::string where)
    : where_(std::move(where)) {
  if (duckdb_prepare(connection.handle(), sql.c_str(), &statement_) != DuckDBSuccess) {
    const Error error = translate_duckdb_error(reason_or_none(duckdb_prepare_error(statement_)), where_);
    duckdb_destroy_prepare(&statement_);
    throw error;
  }
}

DuckdbQuery::~DuckdbQuery() {
  chunk_.reset();
  duckdb_destroy_result(&result_);
  duckdb_destroy_prepare(&statement_);
}

std::vector<std::string> DuckdbQuery::column_names() const {
  std::vector<std::string> names;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(statement_); ++i) {
    const char* name = duckdb_prepared_statement_column_name(statement_, i);
    names.emplace_back(name);
    duckdb_free(const_cast<char*>(name));
  }
  return names;
}

std::vector<duckdb_type> DuckdbQuery::column_types() const {
  std::vector<duckdb_type> types;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(statement_); ++i) {
    types.push_back(duckdb_prepared_statement_column_type(statement_, i));
  }
  return types;
}

duckdb_data_chunk DuckdbQuery::fetch() {
  if (!started_) {
    started_ = true;
    if (duckdb_execute_prepared_streaming(statement_, &result_) != DuckDBSuccess) fail();
  }
  do {
    chunk_.reset(duckdb_fetch_chunk(result_));
  } while (chunk_ != nullptr && duckdb_data_chunk_get_size(chunk_.get()) == 0);
  // The end of the stream and a failure in the middle of it look alike but for this.
  if (chunk_ == nullptr && duckdb_result_error(&result_) != nullptr) fail();
  return chunk_.get();
}

void DuckdbQuery::fail() {
  throw translate_duckdb_error(reason_or_none(duckdb_result_error(&result_)), where_);
}

void copy_cells(duckdb_data_chunk chunk, idx_t column, std::vector<Cell>& cells) {
  const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
  const auto* strings = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(vector));
  const std::uint64_t* validity = duckdb_vector_get_validity(vector);
  cells.resize(duckdb_data_chunk_get_size(chunk));
  for (std::size_t row = 0; row < cells.size(); ++row) {
    const bool null = is_null(validity, row);
    cells[row] = {null ? std::string_view() : view_of(strings[row]), null};
  }
}

void copy_numbers(duckdb_data_chunk chunk, idx_t column, double null, std::vector<double>& numbers) {
  const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
  const auto* values = static_cast<const double*>(duckdb_vector_get_data(vector));
  const std::uint64_t* validity = duckdb_vector_get_validity(vector);
  numbers.assign(values, values + duckdb_data_chunk_get_size(chunk));
  if (validity == nullptr) return;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (is_null(validity, row)) numbers[row] = null;
  }
}

void put_text(duckdb_vector vector, std::size_t row, std::string_view text) {
  auto& inlined = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector))[row].value.inlined;
  if (text.size() > sizeof inlined.inlined) {
    duckdb_vector_assign_string_element_len(vector, row, text.data(), text.size());
    return;
  }
  std::memset(inlined.inlined, 0, sizeof inlined.inlined);
  inlined.length = static_cast<std::uint32_t>(text.size());
  std::memcpy(inlined.inlined, text.data(), text.size());
}

std::string sql_identifier(std::string_view name) {
  return quoted(name, '"');
}

std::string sql_text(std::string_view text) {
  return quoted(text, '\'');
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

}  // namespace interpole::data
