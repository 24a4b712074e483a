#include "interpole/data/locked_sql/plain_csv_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "interpole/data/locked_sql/plain_csv.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr const char* kFunctionName = "interpole_plain_csv";
constexpr const char* kRefusal = "the file is not plain";
constexpr std::uint64_t kBlock = std::uint64_t{1} << 18;
constexpr std::uint64_t kLongestLine = std::uint64_t{1} << 16;

// One reading of the file, shared by the threads. Blocks are handed out in turn; a line belongs to the block
// it begins in.
class PlainCsvScan {
 public:
  PlainCsvScan(const PlainCsvTable& table, std::vector<std::size_t> wanted)
      : table_(table), wanted_(std::move(wanted)), descriptor_(::open(table.path().c_str(), O_RDONLY)) {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return;
    size_ = static_cast<std::uint64_t>(status.st_size);
    std::string head;
    CellEnds cells;
    good_ = read(0, std::min(size_, kLongestLine), head);
    const std::size_t end = head.find('\n');
    good_ = good_ && end != std::string::npos;
    if (!good_) return;
    begin_ = end + 1;
    good_ =
        cut_plain_csv(std::string_view(head).substr(0, begin_), table.delimiter(), table.columns(), cells);
  }
  ~PlainCsvScan() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PlainCsvScan(const PlainCsvScan&) = delete;
  PlainCsvScan& operator=(const PlainCsvScan&) = delete;

  bool good() const { return good_; }
  const PlainCsvTable& table() const { return table_; }
  const std::vector<std::size_t>& wanted() const { return wanted_; }
  std::uint64_t blocks() const { return (size_ - begin_ + kBlock - 1) / kBlock; }

  enum class Next { kLines, kEnd, kNotPlain };
  // The lines of the next block, as a part of `buffer`.
  Next next(std::string& buffer, std::string_view& lines) {
    const std::uint64_t begin = begin_ + kBlock * next_.fetch_add(1);
    if (begin >= size_) return Next::kEnd;
    const std::uint64_t end = std::min(begin + kBlock, size_);
    // From the character before, whose being a line's end says that a line begins here.
    if (!read(begin - 1, std::min(end + kLongestLine, size_), buffer)) return Next::kNotPlain;
    if (begin - 1 + buffer.size() == size_ && buffer.back() != '\n') buffer += '\n';
    const std::size_t first = buffer.find('\n');
    const std::size_t last = buffer.find('\n', end - begin);
    if (first == std::string::npos || last == std::string::npos) return Next::kNotPlain;
    lines = std::string_view(buffer).substr(first + 1, last - first);
    return Next::kLines;
  }

 private:
  bool read(std::uint64_t begin, std::uint64_t end, std::string& buffer) const {
    buffer.resize(end - begin);
    std::size_t done = 0;
    while (done < buffer.size()) {
      const ssize_t got =
          ::pread(descriptor_, buffer.data() + done, buffer.size() - done, static_cast<off_t>(begin + done));
      if (got <= 0) return false;
      done += static_cast<std::size_t>(got);
    }
    return !buffer.empty();
  }

  const PlainCsvTable& table_;
  std::vector<std::size_t> wanted_;  // columns
  int descriptor_;
  bool good_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t begin_ = 0;  // after the header
  std::atomic<std::uint64_t> next_{0};
};

// What one thread is at.
struct PlainCsvPart {
  std::string buffer;
  std::string_view lines;
  CellEnds cells;
  std::size_t row = 0;
  std::size_t rows = 0;
};

// Without the blanks around it; empty if it means that there is no value.
std::string_view cleaned(std::string_view cell, const std::vector<std::string>& missing) {
  while (cell.starts_with(' ')) cell.remove_prefix(1);
  while (cell.ends_with(' ')) cell.remove_suffix(1);
  for (const std::string& code : missing) {
    if (cell == code) return {};
  }
  return cell;
}

void put_column(const PlainCsvScan& scan, const PlainCsvPart& part, std::size_t column, std::size_t rows,
                duckdb_vector vector) {
  std::uint64_t* validity = nullptr;
  std::size_t index = part.row * scan.table().columns() + column;
  for (std::size_t row = 0; row < rows; ++row, index += scan.table().columns()) {
    const std::string_view cell = cleaned(cell_at(part.lines, part.cells, index), scan.table().missing());
    if (!cell.empty()) {
      put_text(vector, row, cell);
      continue;
    }
    if (validity == nullptr) {
      duckdb_vector_ensure_validity_writable(vector);
      validity = duckdb_vector_get_validity(vector);
    }
    duckdb_validity_set_row_invalid(validity, row);
  }
}

bool next_lines(PlainCsvScan& scan, PlainCsvPart& part) {
  part.row = 0;
  part.rows = 0;
  const auto next = scan.next(part.buffer, part.lines);
  if (next == PlainCsvScan::Next::kEnd) return false;
  if (next == PlainCsvScan::Next::kNotPlain) throw input_error(kRefusal);
  if (part.lines.empty()) return true;  // no line begins in this block
  if (!cut_plain_csv(part.lines, scan.table().delimiter(), scan.table().columns(), part.cells)) {
    throw input_error(kRefusal);
  }
  part.rows = part.cells.lines;
  return true;
}

void bind(duckdb_bind_info info) {
  const auto* table = static_cast<const PlainCsvTable*>(duckdb_bind_get_extra_info(info));
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  for (std::size_t i = 0; i < table->columns(); ++i) {
    duckdb_bind_add_result_column(info, fmt::format("c{}", i).c_str(), text);
  }
  duckdb_destroy_logical_type(&text);
}

void begin(duckdb_init_info info) {
  const auto* table = static_cast<const PlainCsvTable*>(duckdb_init_get_extra_info(info));
  std::vector<std::size_t> wanted;
  bool known = true;
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    wanted.push_back(duckdb_init_get_column_index(info, i));
    known = known && wanted.back() < table->columns();
  }
  auto scan = std::make_unique<PlainCsvScan>(*table, std::move(wanted));
  if (!known || !scan->good()) return duckdb_init_set_error(info, kRefusal);
  duckdb_init_set_max_threads(info, std::max<std::uint64_t>(1, scan->blocks()));
  duckdb_init_set_init_data(info, scan.release(),
                            [](void* data) { delete static_cast<PlainCsvScan*>(data); });
}

void begin_part(duckdb_init_info info) {
  duckdb_init_set_init_data(info, new PlainCsvPart,
                            [](void* data) { delete static_cast<PlainCsvPart*>(data); });
}

void fill(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto& scan = *static_cast<PlainCsvScan*>(duckdb_function_get_init_data(info));
  auto& part = *static_cast<PlainCsvPart*>(duckdb_function_get_local_init_data(info));
  // Nothing may be thrown through DuckDB's C interface.
  try {
    while (part.row == part.rows) {
      if (!next_lines(scan, part)) return;
    }
    const std::size_t rows = std::min<std::size_t>(part.rows - part.row, duckdb_vector_size());
    for (std::size_t i = 0; i < scan.wanted().size(); ++i) {
      put_column(scan, part, scan.wanted()[i], rows, duckdb_data_chunk_get_vector(chunk, i));
    }
    part.row += rows;
    duckdb_data_chunk_set_size(chunk, rows);
  } catch (const std::exception& error) {
    duckdb_function_set_error(info, error.what());
  }
}

}  // namespace

PlainCsvTable::PlainCsvTable(const DuckdbConnection& connection, std::string path, char delimiter,
                             std::size_t columns, std::vector<std::string> missing)
    : path_(std::move(path)), delimiter_(delimiter), columns_(columns), missing_(std::move(missing)) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, kFunctionName);
  duckdb_table_function_set_extra_info(function, this, nullptr);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, begin);
  duckdb_table_function_set_local_init(function, begin_part);
  duckdb_table_function_set_function(function, fill);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const bool good = duckdb_register_table_function(connection.handle(), function) == DuckDBSuccess;
  duckdb_destroy_table_function(&function);
  if (!good) throw runtime_error("DuckDB does not take a table function");
}

}  // namespace interpole::data
