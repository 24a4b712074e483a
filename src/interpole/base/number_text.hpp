// Numbers as text has them.
#pragma once

#include <optional>
#include <string_view>

namespace interpole::base {

// The finite number that the whole text is; nothing if it is not one.
std::optional<double> number_in(std::string_view text);

}  // namespace interpole::base
