// A place in a drawing: x to the right, y downwards.
#pragma once

namespace interpole::report {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

// Where a text stands relative to its place.
enum class Anchor { kStart, kMiddle, kEnd };

}  // namespace interpole::report
