// What tests of study files share: a small study, and the complaints about one that is not right.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/study.hpp"

namespace interpole::study_file {

// Line 1 to 12; what a test adds begins at line 13.
inline const std::string kHead = R"(format = "interpole-study"
version = 1
states = ["healthy", "diseased"]
observations = ["negative", "positive", "unclear"]
[[actions]]
name = "monitor"
[[actions]]
name = "biopsy"
outcomes = ["negative", "positive"]
[[actions]]
name = "declare"
terminal = true
)";

inline Study parse(const std::string& rest) {
  return parse_study(kHead + rest, "s.toml");
}

inline std::string refusal_of(const std::string& text) {
  return base::complaint_of([&] { parse_study(text, "s.toml"); });
}

inline std::string refusal(const std::string& rest) {
  return refusal_of(kHead + rest);
}

inline std::string head_with(const std::string& from, const std::string& to) {
  std::string text = kHead;
  return text.replace(text.find(from), from.size(), to);
}

inline std::vector<double> slice(const std::vector<double>& values, std::size_t begin, std::size_t size) {
  return {values.begin() + static_cast<std::ptrdiff_t>(begin),
          values.begin() + static_cast<std::ptrdiff_t>(begin + size)};
}

}  // namespace interpole::study_file
