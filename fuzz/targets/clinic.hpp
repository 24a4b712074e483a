// A small study: actions wait, test and stop, which ends a record; outcomes low and high.
#pragma once

#include "interpole/study.hpp"

namespace interpole::fuzz {

inline const Study& clinic() {
  static const Study study = parse_study(R"(
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "high"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
)",
                                         "clinic.toml");
  return study;
}

}  // namespace interpole::fuzz
