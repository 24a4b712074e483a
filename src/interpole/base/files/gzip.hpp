// Compressed bytes.
#pragma once

#include <string>
#include <string_view>

namespace interpole::base {

// As the program `gzip` would, without name and time: the same bytes give the same result. Throws a runtime
// error for more than 2 GB, or if there is no memory for it.
std::string gzip(std::string_view bytes);

}  // namespace interpole::base
