// Tables that Python has, as tables in memory (interpole/data_files.hpp): columns are used where they lie
// unless they must be something else.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpole/base/memory/memory_file.hpp"
#include "interpole/data/sources/column_memory.hpp"
#include "interpole/data_files.hpp"
#include "visits_shape.hpp"

namespace interpole::python {

// A table that Python holds: it can be read as long as this lives.
class PythonTable {
 public:
  using Names = std::map<std::string, std::string>;

  // `columns`: (name, kind, array, categories or None). Kinds: "whole" (int64), "number" (float64), "codes"
  // (int32, with categories) and "objects" (anything, looked at one by one).
  // `number_rows`: where it is a visits table without steps, its rows are numbered.
  PythonTable(const std::string& name, const pybind11::list& columns, std::int64_t rows, bool number_rows);
  // From a capsule called "arrow_array_stream", which is used up. `renamed`: old name, new name.
  PythonTable(const std::string& name, const pybind11::capsule& stream, const Names& renamed,
              bool number_rows);
  // Files that are parts of one table. Python's lock need not be held.
  PythonTable(const std::string& name, const std::vector<std::string>& files, const Names& renamed,
              bool number_rows);

  const std::string& path() const { return held_->path(); }
  std::int64_t rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  VisitsOutline outline() const;

 private:
  void hold(const std::string& name, MemoryTable table, const Names& renamed, bool number_rows);

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
