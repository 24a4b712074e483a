// Tables that Python has, as tables in memory (interpole/data_files.hpp): columns are used where they lie
// unless they must be something else.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "interpole/base/memory/memory_file.hpp"
#include "interpole/data_files.hpp"

namespace interpole::python {

// Texts that were met, each with a number of its own.
class TextCodes {
 public:
  std::int32_t code_of(std::string_view text);
  std::vector<std::string>& texts() { return texts_; }

 private:
  void grow();

  std::vector<std::string> texts_;
  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(1024, -1);  // open addressing
};

// What the columns of a table point to, beside Python's own arrays.
struct TableMemory {
  std::vector<std::unique_ptr<std::vector<std::int32_t>>> codes;
  std::vector<std::unique_ptr<std::vector<std::string>>> categories;
  std::vector<std::unique_ptr<std::vector<std::int64_t>>> whole_numbers;
  std::vector<std::unique_ptr<std::vector<double>>> numbers;
  std::vector<std::shared_ptr<const void>> others;
};

// Gives a column these codes; the memory keeps them.
void set_codes(MemoryColumn& column, std::vector<std::int32_t> codes, std::vector<std::string> categories,
               TableMemory& memory);

// A table that Python holds: it can be read as long as this lives.
class PythonTable {
 public:
  // `columns`: (name, kind, array, categories or None). Kinds: "whole" (int64), "number" (float64), "codes"
  // (int32, with categories) and "objects" (anything, looked at one by one).
  PythonTable(const std::string& name, const pybind11::list& columns, std::int64_t rows);
  // From a capsule called "arrow_array_stream", which is used up.
  PythonTable(const std::string& name, const pybind11::capsule& stream);

  const std::string& path() const { return held_->path(); }
  std::int64_t rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  // The cells of a column as text, None where there is no value.
  pybind11::list texts(const std::string& column) const;
  // Of a visits table: its actions and whether each ends records, and its observations; by name. An action
  // ends records if nothing is ever seen after it, no row of the same patient follows, and others do not so.
  pybind11::tuple outline() const;

 private:
  void hold(const std::string& name, MemoryTable table);

  std::int64_t rows_ = 0;
  std::vector<std::string> columns_;
  std::unique_ptr<HeldTable> held_;
};

// A text under the name of a file.
class PythonText {
 public:
  PythonText(const std::string& name, const std::string& text)
      : file_(name, std::make_shared<base::MemoryText>(text)) {}
  const std::string& path() const { return file_.path(); }

 private:
  base::MemoryFile file_;
};

}  // namespace interpole::python
