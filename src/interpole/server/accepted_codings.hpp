// What a client can unpack.
#pragma once

#include <string_view>

namespace interpole::server {

// Whether a client whose accept-encoding this is takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace interpole::server
