// Numbers in text and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interpole::base {

// The finite number that the whole text is; nothing if it is not one.
std::optional<double> number_in(std::string_view text);

// "7,926".
std::string grouped(std::int64_t count);

// "1 patient", "7,926 patients".
std::string counted(std::int64_t count, const std::string& noun);

}  // namespace interpole::base
