#include "interpole/dynamics_mode.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"

namespace interpole {

DynamicsMode dynamics_mode_named(const std::string& name) {
  for (const auto mode : {DynamicsMode::kShared, DynamicsMode::kCoupled, DynamicsMode::kSubjective}) {
    if (name == name_of(mode)) return mode;
  }
  throw usage_error(
      fmt::format("option dynamics: \"{}\" is not known; choose shared, coupled or subjective", name));
}

std::string name_of(DynamicsMode mode) {
  switch (mode) {
    case DynamicsMode::kShared:
      return "shared";
    case DynamicsMode::kCoupled:
      return "coupled";
    default:
      return "subjective";
  }
}

}  // namespace interpole
