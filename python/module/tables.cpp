#include "tables.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>

#include "arrow_stream.hpp"
#include "interpole/data/joined_files.hpp"
#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::python {

namespace py = pybind11;

namespace {

std::string_view utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

bool is_single_or_decimal(std::string_view type) {
  return type == "numpy.float32" || type == "numpy.float16" || type == "decimal.Decimal";
}

// Whether an object stands for "no value": None, NaN of whatever kind, pandas' NA and NaT.
bool means_nothing(PyObject* object) {
  if (object == Py_None) return true;
  if (PyUnicode_Check(object)) return false;
  if (PyFloat_Check(object)) return std::isnan(PyFloat_AS_DOUBLE(object));
  const std::string_view type = Py_TYPE(object)->tp_name;
  if (is_single_or_decimal(type)) return std::isnan(PyFloat_AsDouble(object));
  return type.ends_with("NAType") || type.ends_with("NaTType");
}

// The text of a cell: texts as they are, numbers as they are written.
std::string text_of(PyObject* object, const std::string& table, const std::string& column, std::size_t row) {
  const auto refuse = [&](const std::string& what) {
    return input_error(fmt::format("{}: row {}: column {}: {}", table, row, column, what));
  };
  if (PyUnicode_Check(object)) {
    try {
      return std::string(utf8_of(object));
    } catch (py::error_already_set&) {
      throw refuse("the text cannot be written as UTF-8 (it has half a character); correct it");
    }
  }
  if (PyBool_Check(object)) return object == Py_True ? "True" : "False";
  if (PyFloat_Check(object)) return fmt::format("{}", PyFloat_AS_DOUBLE(object));
  if (PyLong_Check(object) || PyIndex_Check(object)) {
    return std::string(utf8_of(py::str(py::handle(object)).ptr()));
  }
  const std::string type = Py_TYPE(object)->tp_name;
  if (is_single_or_decimal(type) || type == "numpy.bool_" || type == "Timestamp" || type == "datetime.date" ||
      type == "datetime.datetime" || type == "UUID") {
    return std::string(utf8_of(py::str(py::handle(object)).ptr()));
  }
  throw refuse(
      fmt::format("a {} is neither text nor a number; write one of these, or leave the cell empty", type));
}

// Objects one by one. Columns repeat few objects, often the very same ones: those met lately are known by
// their address.
void read_objects(const py::array& array, const std::string& table, MemoryColumn& column,
                  data::TableMemory& memory) {
  struct Recent {
    PyObject* object = nullptr;
    std::int32_t code = -1;
  };
  std::array<Recent, 4096> recent{};
  data::TextCodes known;
  const auto rows = static_cast<std::size_t>(array.shape(0));
  std::vector<std::int32_t> codes(rows);
  const auto* data = static_cast<const char*>(array.data());
  const auto stride = rows > 1 ? array.strides(0) : 0;
  for (std::size_t row = 0; row < rows; ++row) {
    PyObject* object = *reinterpret_cast<PyObject* const*>(data + static_cast<std::ptrdiff_t>(row) * stride);
    Recent& slot = recent[(reinterpret_cast<std::uintptr_t>(object) >> 4) % recent.size()];
    if (slot.object != object) {
      const bool nothing = object == nullptr || means_nothing(object);
      slot = {object, nothing ? -1 : known.code_of(text_of(object, table, column.name, row))};
    }
    codes[row] = slot.code;
  }
  data::set_codes(column, std::move(codes), std::move(known.texts()), memory);
}

template <class T>
std::span<const T> span_of(const py::array& array, data::TableMemory& memory,
                           std::vector<std::unique_ptr<std::vector<T>>>& copies) {
  const auto rows = static_cast<std::size_t>(array.shape(0));
  if (rows == 0) return {};
  if (rows == 1 || array.strides(0) == sizeof(T)) {
    // Python's array lives as long as the table; its lock is taken to let it go.
    auto* kept = new py::object(array);
    memory.others.emplace_back(kept, [](const void* held) {
      const py::gil_scoped_acquire acquire;
      delete static_cast<const py::object*>(held);
    });
    return {static_cast<const T*>(array.data()), rows};
  }
  auto& copy = *copies.emplace_back(std::make_unique<std::vector<T>>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    copy[i] = *reinterpret_cast<const T*>(static_cast<const char*>(array.data()) +
                                          static_cast<std::ptrdiff_t>(i) * array.strides(0));
  }
  return copy;
}

}  // namespace

PythonTable::PythonTable(const std::string& name, const py::list& columns, std::int64_t rows,
                         bool number_rows) {
  MemoryTable table;
  auto memory = std::make_shared<data::TableMemory>();
  table.rows = rows;
  for (const py::handle item : columns) {
    const auto parts = py::cast<py::tuple>(item);
    MemoryColumn column;
    column.name = py::cast<std::string>(parts[0]);
    const auto kind = py::cast<std::string>(parts[1]);
    const auto array = py::cast<py::array>(parts[2]);
    if (array.ndim() != 1 || array.shape(0) != rows) {
      throw input_error(
          fmt::format("{}: column {} has not {} rows like the others; give all columns the same "
                      "length",
                      name, column.name, rows));
    }
    if (kind == "whole") {
      column.whole_numbers = span_of<std::int64_t>(array, *memory, memory->whole_numbers);
    } else if (kind == "number") {
      column.numbers = span_of<double>(array, *memory, memory->numbers);
    } else if (kind == "codes") {
      column.codes = span_of<std::int32_t>(array, *memory, memory->codes);
      column.categories = *memory->categories.emplace_back(
          std::make_unique<std::vector<std::string>>(py::cast<std::vector<std::string>>(parts[3])));
    } else {
      read_objects(array, name, column, *memory);
    }
    table.columns.push_back(std::move(column));
  }
  table.owner = std::move(memory);
  hold(name, std::move(table), {}, number_rows);
}

PythonTable::PythonTable(const std::string& name, const py::capsule& stream, const Names& renamed,
                         bool number_rows) {
  if (std::string_view(stream.name() == nullptr ? "" : stream.name()) != "arrow_array_stream") {
    throw usage_error(fmt::format("{}: the capsule is not an arrow_array_stream", name));
  }
  hold(name, read_arrow_stream(name, *stream.get_pointer<ArrowArrayStream>()), renamed, number_rows);
}

PythonTable::PythonTable(const std::string& name, const std::vector<std::string>& files, const Names& renamed,
                         bool number_rows) {
  hold(name, data::read_joined_files(files), renamed, number_rows);
}

void PythonTable::hold(const std::string& name, MemoryTable table, const Names& renamed, bool number_rows) {
  for (MemoryColumn& column : table.columns) {
    if (const auto found = renamed.find(column.name); found != renamed.end()) column.name = found->second;
  }
  if (number_rows) {
    auto memory = std::make_shared<data::TableMemory>();
    memory->others.push_back(std::move(table.owner));
    python::number_rows(table, *memory);
    table.owner = std::move(memory);
  }
  rows_ = table.rows;
  for (const MemoryColumn& column : table.columns) columns_.push_back(column.name);
  held_ = std::make_unique<HeldTable>(name, std::move(table));
}

VisitsOutline PythonTable::outline() const {
  return outline_of(data::memory_table(path())->table());
}

}  // namespace interpole::python
