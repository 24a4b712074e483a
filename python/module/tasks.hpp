// The tasks of `service`, as functions of Python.
#pragma once

#include <pybind11/pybind11.h>

namespace interpole::python {

// The class of errors; null: ValueError.
PyObject*& error_type();

void add_tasks(pybind11::module_& module);

}  // namespace interpole::python
