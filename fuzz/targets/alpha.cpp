#include <cmath>
#include <cstdlib>

#include "interpole/planning/files/alpha_file.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// .alpha files are written and never read by this program: what stands in them must be what was computed.
void alpha(std::string_view input) {
  Bytes bytes(input);
  planning::AlphaVectors vectors;
  vectors.states = 1 + static_cast<int>(bytes.below(8));
  std::vector<double> values(static_cast<std::size_t>(vectors.states));
  while (!bytes.empty()) {
    const int action = static_cast<int>(bytes.below(4));
    for (double& value : values) {
      value = bytes.number();
      if (!std::isfinite(value)) return;  // planning never ends with such a value
    }
    vectors.add(action, values);
  }
  const std::string text = planning::format_alpha(vectors);
  const char* at = text.c_str();
  const auto next = [&] {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    require(end != at, "a number stands there");
    at = end;
    return value;
  };
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    require(next() == vectors.actions[i], "an action reads back");
    for (const double value : vectors.row(i)) require(next() == value, "a value reads back to the same bits");
    require(at[0] == '\n' && at[1] == '\n', "an empty line ends a vector");
  }
  require(at == text.c_str() || std::string_view(at) == "\n\n", "nothing else is written");
}

}  // namespace interpole::fuzz
