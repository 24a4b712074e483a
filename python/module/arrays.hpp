// Vectors as numpy arrays that own them: nothing is copied.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <vector>

namespace interpole::python {

template <class T>
pybind11::array_t<T> array_of(std::vector<T> values, std::vector<pybind11::ssize_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const pybind11::capsule owner(owned.release(),
                                [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return pybind11::array_t<T>(std::move(shape), data, owner);
}

template <class T>
pybind11::array_t<T> array_of(std::vector<T> values) {
  const auto size = static_cast<pybind11::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

}  // namespace interpole::python
