// For tests: what a figure says.
#pragma once

#include <string>
#include <variant>

#include "interpole/report/drawing/drawing.hpp"

namespace interpole::testing {

// Without markup, and as if there were no line breaks.
inline std::string all_text(const report::Drawing& drawing) {
  std::string text;
  for (const report::Element& element : drawing.elements()) {
    if (const auto* words = std::get_if<report::Words>(&element)) text += words->label.content + " ";
  }
  return text;
}

}  // namespace interpole::testing
