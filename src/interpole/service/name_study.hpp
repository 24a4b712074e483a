// Complaints about a study's numbers that only learning meets, with the study's file in front.
#pragma once

#include <string>

#include "interpole/error.hpp"
#include "interpole/learn/fit/nothing_finite.hpp"

namespace interpole::service {

template <class Work>
auto name_study(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const learn::NothingFinite& error) {
    throw input_error(file + ": " + error.what());
  }
}

}  // namespace interpole::service
