// Compressed bodies.
#pragma once

#include <string>
#include <string_view>

namespace interpole {

// As `gzip` would. Throws a runtime error if there is no memory for it.
std::string gzip(std::string_view bytes);

// Whether a client whose accept-encoding this is takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace interpole
