// The library's tasks as a Python module. Everything is computed by the library; results are its own JSON,
// texts and arrays. The package in python/interpole makes Python's manners of them.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/memory/memory_file.hpp"
#include "interpole/error.hpp"
#include "interpole/version.hpp"
#include "tables.hpp"
#include "tasks.hpp"

namespace py = pybind11;

namespace interpole::python {
namespace {

const char* name_of_kind(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kInput:
      return "input";
    case ErrorKind::kInterrupted:
      return "interrupted";
    case ErrorKind::kRuntime:
      break;
  }
  return "runtime";
}

}  // namespace

PYBIND11_MODULE(_engine, module) {
  module.doc() = "The library's tasks. Use the package interpole instead.";
  module.attr("version") = version();

  // Python's own class, so that it is a ValueError with a kind; set by the package.
  module.def(
      "set_error",
      [](const py::object& type) {
        error_type() = type.ptr();
        type.inc_ref();
      },
      py::arg("type"));
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const Error& error) {
      const py::handle type(error_type() == nullptr ? PyExc_ValueError : error_type());
      const py::object made = type(base::with_plain_names(error.what()), name_of_kind(error.kind()));
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });

  py::class_<PythonTable>(module, "Table", "A table that tasks read by its path, as long as this lives.")
      .def(py::init<const std::string&, const py::list&, std::int64_t, bool>(), py::arg("name"),
           py::arg("columns"), py::arg("rows"), py::arg("number_rows"))
      .def(py::init<const std::string&, const py::capsule&, const PythonTable::Names&, bool>(),
           py::arg("name"), py::arg("stream"), py::arg("renamed"), py::arg("number_rows"))
      .def(py::init<const std::string&, const std::vector<std::string>&, const PythonTable::Names&, bool>(),
           py::arg("name"), py::arg("files"), py::arg("renamed"), py::arg("number_rows"),
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("path", &PythonTable::path)
      .def_property_readonly("rows", &PythonTable::rows)
      .def_property_readonly("columns", &PythonTable::columns)
      .def("outline", [](const PythonTable& table) {
        VisitsOutline found = table.outline();
        return std::pair(std::move(found.actions), std::move(found.observations));
      });
  py::class_<PythonText>(module, "Text", "A text that tasks read by its path, as long as this lives.")
      .def(py::init<const std::string&, const std::string&>(), py::arg("name"), py::arg("text"))
      .def_property_readonly("path", &PythonText::path);

  module.def(
      "write_file",
      [](const std::string& path, const std::string& text) { base::write_file_atomically(path, text); },
      py::arg("path"), py::arg("text"));
  add_tasks(module);
}

}  // namespace interpole::python
