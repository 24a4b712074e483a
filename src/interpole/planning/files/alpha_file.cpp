#include "interpole/planning/files/alpha_file.hpp"

#include <fmt/format.h>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/error.hpp"

namespace interpole::planning {

std::string format_alpha(const AlphaVectors& vectors) {
  std::string text;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (vectors.actions[i] == kNoAction) {
      throw usage_error("a value without decisions names no action; plan for a horizon of at least 1");
    }
    text += fmt::format("{}\n{}\n\n", vectors.actions[i], fmt::join(vectors.row(i), " "));
  }
  return text;
}

void write_alpha(const AlphaVectors& vectors, const std::string& path) {
  base::write_file_atomically(path, format_alpha(vectors));
}

}  // namespace interpole::planning
