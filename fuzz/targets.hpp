// All targets (CMakeLists.txt lists them), one in each file of targets/.
#pragma once

#include <string_view>

namespace interpole::fuzz {

#define INTERPOLE_TARGET(target) void target(std::string_view input);
#include "targets.inc"
#undef INTERPOLE_TARGET

}  // namespace interpole::fuzz
