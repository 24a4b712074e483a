// The files that data are read from: one, or several tables by name, each in one file or in several parts. A
// table in memory is read like a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace interpole {

struct DataFiles {
  // Name (empty: none given), file. Entries of one name are the parts of one table, in their order.
  std::vector<std::pair<std::string, std::string>> tables;
  bool counts = false;  // the one file has counts of alike records, made in a warehouse (docs/warehouse.md)

  // For messages and titles: the file, or all of them with commas between; many parts are counted.
  std::string shown() const;
};

// Each value is FILE or name=FILE. A file whose own name looks like name=… is written ./name=… Where there is
// no file of the very name, * ? and [ ] make it a pattern: all files it fits, in the order of their names.
// Throws an input error if none fits.
DataFiles parse_data_files(std::span<const std::string> values);
DataFiles data_file(const std::string& path);
// A table of counts in place of records.
DataFiles counts_file(const std::string& path);

// A column in memory. One of texts, whole_numbers, numbers and codes has its cells.
struct MemoryColumn {
  std::string name;
  // Texts as Arrow has them: text i is bytes [ends[i], ends[i + 1]) of `bytes`, UTF-8; rows + 1 ends.
  struct Texts {
    const char* bytes = nullptr;
    std::span<const std::int32_t> ends{};
    std::span<const std::int64_t> long_ends{};  // in place of `ends`
  } texts{};
  std::span<const std::int64_t> whole_numbers{};
  std::span<const double> numbers{};      // NaN: no value
  std::span<const std::int32_t> codes{};  // places in `categories`; below zero: no value
  std::span<const std::string> categories{};
  // Bit i, lowest first: row i has a value. Null: all have one, but for numbers and codes as above.
  const std::uint8_t* valid = nullptr;
  std::int64_t valid_offset = 0;  // of row 0, in bits
};

struct MemoryTable {
  std::vector<MemoryColumn> columns;
  std::int64_t rows = 0;
  std::int64_t first_row = 0;           // the number that people find the first row by
  std::shared_ptr<const void> owner{};  // of what the columns point to; null: the caller keeps it

  // Throws an input error that begins with `where` if names are empty or repeated, or if a column has not so
  // many rows.
  void validate(const std::string& where) const;
};

// Names a table in memory like a file, as long as this lives: path() is taken wherever a data file is
// (parse_data_files, data_file). The same cells give the same results as from a CSV file: a number is read as
// it is written in full ("2.5"), a whole one without a point. Its digest is that of the CSV file it would be.
class HeldTable {
 public:
  // `name`: for messages and provenance, without a folder. Throws as validate().
  HeldTable(const std::string& name, MemoryTable table);
  ~HeldTable();
  HeldTable(HeldTable&&) noexcept;
  HeldTable& operator=(HeldTable&&) noexcept;
  const std::string& path() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Letters, digits and _, not beginning with a digit: what SQL takes for a name as it stands.
bool is_table_name(std::string_view name);
// As SQL compares names: case is ignored.
bool same_table_name(std::string_view x, std::string_view y);

}  // namespace interpole
