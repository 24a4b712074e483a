// Can a drawing be read?
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "interpole/report/drawing/drawing.hpp"
#include "interpole/report/drawing/text_box.hpp"

namespace interpole::report {

// Texts that lie on each other or leave the page, said in words.
inline std::vector<std::string> text_collisions(const Drawing& drawing) {
  std::vector<const Label*> labels;
  std::vector<TextBox> boxes;
  for (const Element& element : drawing.elements()) {
    if (const auto* words = std::get_if<Words>(&element)) {
      labels.push_back(&words->label);
      boxes.push_back(box_of(words->label));
    }
  }
  std::vector<std::string> collisions;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (const Point& corner : boxes[i]) {
      const bool inside =
          corner.x >= 0.0 && corner.y >= 0.0 && corner.x <= drawing.width() && corner.y <= drawing.height();
      if (inside) continue;
      collisions.push_back(fmt::format("\"{}\" leaves the page", labels[i]->content));
      break;
    }
    for (std::size_t k = i + 1; k < boxes.size(); ++k) {
      if (!overlap(boxes[i], boxes[k])) continue;
      collisions.push_back(fmt::format("\"{}\" lies on \"{}\"", labels[i]->content, labels[k]->content));
    }
  }
  return collisions;
}

}  // namespace interpole::report
