#include "interpole/planning/files/pomdp_file.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

void pomdp(std::string_view input) {
  planning::Pomdp problem;
  if (!taken([&] { problem = planning::parse_pomdp(std::string(input), "in.pomdp"); }, "in.pomdp")) return;
  const std::string written = planning::format_pomdp(problem);
  require(planning::format_pomdp(planning::parse_pomdp(written, "written.pomdp")) == written,
          "a problem that is written reads back");
}

}  // namespace interpole::fuzz
