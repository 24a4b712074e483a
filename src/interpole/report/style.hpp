// The style sheet of every report: light and dark, screen and paper, no fonts from outside.
#pragma once

#include <string_view>

namespace interpole {

std::string_view report_style();

}  // namespace interpole
