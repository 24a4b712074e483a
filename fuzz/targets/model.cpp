#include "interpole/model_file.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// What is taken is written, and what is written is read back and written the same.
void model(std::string_view input) {
  Model model;
  if (!taken([&] { model = parse_model(std::string(input), "in.json"); }, "in.json")) return;
  const std::string written = format_model(model);
  require(format_model(parse_model(written, "written.json")) == written,
          "a model that is written reads back");
}

}  // namespace interpole::fuzz
