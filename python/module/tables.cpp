#include "tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "arrow_stream.hpp"
#include "interpole/data/sources/memory_table.hpp"
#include "interpole/error.hpp"

namespace interpole::python {

namespace py = pybind11;

namespace {

std::size_t hash_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

// Whether an object stands for "no value": None, NaN, pandas' NA and NaT.
bool means_nothing(PyObject* object) {
  if (object == Py_None) return true;
  if (PyFloat_Check(object)) return std::isnan(PyFloat_AS_DOUBLE(object));
  const std::string_view type = Py_TYPE(object)->tp_name;
  return type.ends_with("NAType") || type.ends_with("NaTType");
}

std::string_view utf8_of(PyObject* text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
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
  if (type == "numpy.float32" || type == "numpy.float16" || type == "Timestamp" || type == "datetime.date" ||
      type == "datetime.datetime" || type == "decimal.Decimal") {
    return std::string(utf8_of(py::str(py::handle(object)).ptr()));
  }
  throw refuse(
      fmt::format("a {} is neither text nor a number; write one of these, or leave the cell empty", type));
}

// Objects one by one. Columns repeat few objects, often the very same ones: those met lately are known by
// their address.
void read_objects(const py::array& array, const std::string& table, MemoryColumn& column,
                  TableMemory& memory) {
  struct Recent {
    PyObject* object = nullptr;
    std::int32_t code = -1;
  };
  std::array<Recent, 4096> recent{};
  TextCodes known;
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
  set_codes(column, std::move(codes), std::move(known.texts()), memory);
}

template <class T>
std::span<const T> span_of(const py::array& array, TableMemory& memory,
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

std::int32_t TextCodes::code_of(std::string_view text) {
  std::size_t at = hash_of(text) & (slots_.size() - 1);
  while (slots_[at] >= 0) {
    if (texts_[static_cast<std::size_t>(slots_[at])] == text) return slots_[at];
    at = (at + 1) & (slots_.size() - 1);
  }
  const auto code = static_cast<std::int32_t>(texts_.size());
  slots_[at] = code;
  texts_.emplace_back(text);
  if (2 * texts_.size() > slots_.size()) grow();
  return code;
}

void TextCodes::grow() {
  slots_.assign(slots_.size() * 4, -1);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    std::size_t at = hash_of(texts_[i]) & (slots_.size() - 1);
    while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = static_cast<std::int32_t>(i);
  }
}

void set_codes(MemoryColumn& column, std::vector<std::int32_t> codes, std::vector<std::string> categories,
               TableMemory& memory) {
  column.codes = *memory.codes.emplace_back(std::make_unique<std::vector<std::int32_t>>(std::move(codes)));
  column.categories =
      *memory.categories.emplace_back(std::make_unique<std::vector<std::string>>(std::move(categories)));
}

PythonTable::PythonTable(const std::string& name, const py::list& columns, std::int64_t rows) {
  MemoryTable table;
  auto memory = std::make_shared<TableMemory>();
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
  hold(name, std::move(table));
}

PythonTable::PythonTable(const std::string& name, const py::capsule& stream) {
  if (std::string_view(stream.name() == nullptr ? "" : stream.name()) != "arrow_array_stream") {
    throw usage_error(fmt::format("{}: the capsule is not an arrow_array_stream", name));
  }
  hold(name, read_arrow_stream(name, *stream.get_pointer<ArrowArrayStream>()));
}

void PythonTable::hold(const std::string& name, MemoryTable table) {
  rows_ = table.rows;
  for (const MemoryColumn& column : table.columns) columns_.push_back(column.name);
  held_ = std::make_unique<HeldTable>(name, std::move(table));
}

py::tuple PythonTable::outline() const {
  const auto content = data::memory_table(path());
  const auto find = [&](const char* name) -> const MemoryColumn& {
    for (const MemoryColumn& one : content->table().columns) {
      if (one.name == name) return one;
    }
    throw input_error(
        fmt::format("column \"{}\" is missing; the columns are {}", name, fmt::join(columns_, ", ")));
  };
  const MemoryColumn& patients = find("patient");
  const MemoryColumn& actions = find("action");
  const MemoryColumn& observations = find("observation");
  struct Found {
    bool goes_on = false;
    bool yields = false;
  };
  std::map<std::string, Found, std::less<>> of_action;
  std::set<std::string, std::less<>> outcomes;
  data::CellBuffer buffer, next_buffer;
  bool any_goes_on = false;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
    const auto action = data::cell_text(actions, row, buffer);
    if (action.empty()) {
      throw input_error(
          fmt::format("row {}: column action: the cell is empty; every row must name its action", row));
    }
    auto found = of_action.find(action);
    if (found == of_action.end()) found = of_action.emplace(std::string(action), Found{}).first;
    const auto seen = data::cell_text(observations, row, buffer);
    if (!seen.empty()) {
      found->second.yields = true;
      if (!outcomes.contains(seen)) outcomes.emplace(seen);
    }
    if (row + 1 < static_cast<std::size_t>(rows_) &&
        data::cell_text(patients, row, buffer) == data::cell_text(patients, row + 1, next_buffer)) {
      found->second.goes_on = any_goes_on = true;
    }
  }
  py::list listed;
  for (const auto& [name, found] : of_action) {
    listed.append(py::make_tuple(name, any_goes_on && !found.goes_on && !found.yields));
  }
  return py::make_tuple(listed, std::vector<std::string>(outcomes.begin(), outcomes.end()));
}

py::list PythonTable::texts(const std::string& column) const {
  const auto content = data::memory_table(path());
  for (const MemoryColumn& one : content->table().columns) {
    if (one.name != column) continue;
    py::list result;
    data::CellBuffer buffer;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row) {
      const auto text = data::cell_text(one, row, buffer);
      result.append(text.empty() ? py::object(py::none()) : py::object(py::str(text.data(), text.size())));
    }
    return result;
  }
  throw usage_error(fmt::format("there is no column \"{}\"", column));
}

}  // namespace interpole::python
